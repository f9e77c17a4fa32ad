const { stderr } = process;

/**
 * Shows progress on a terminal, in place of the previous text. Writes nothing if stderr is not a
 * terminal.
 */
export const showProgress = (text: string): void => {
  if (stderr.isTTY) {
    stderr.write(`\r${text}\x1b[K`);
  }
};
