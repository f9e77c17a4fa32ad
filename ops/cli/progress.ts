import type { Terminal } from './terminal.ts';

/**
 * Starts to show how much of some work is done: in one line of the screen, else in a line every five seconds
 * and at the end.
 * @param work what is done, as the first word of a sentence, such as Read
 */
export const startProgress = ({ stderr }: Terminal, work: string, total?: number) => {
  const { isTTY } = stderr;
  const pause = isTTY ? 100 : 5_000;
  let shownAt = performance.now();
  let count = 0;
  const line = (): string => {
    const ofTotal = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
    return `${work} ${count.toLocaleString('en')}${ofTotal}`;
  };
  return {
    add: (entries: number): void => {
      count += entries;
      if (performance.now() - shownAt >= pause) {
        shownAt = performance.now();
        stderr.write(isTTY ? `\r${line()}` : `${line()}\n`);
      }
    },
    [Symbol.dispose]: (): void => {
      stderr.write(isTTY ? `\r${line()}\n` : `${line()}\n`);
    },
  };
};
