const { stderr } = process;

/** Says on a terminal how far a measurement is, in place of what it said before; says nothing into a pipe. */
export const showProgress = (text: string): void => {
  if (stderr.isTTY) {
    stderr.write(`\r${text}\x1b[K`);
  }
};
