import { type Terminal, tell } from './terminal.ts';

/**
 * Starts to show how much of some work is done: in a line every five seconds, and at the end.
 * @param work what is done, as the first word of a sentence, such as Read
 */
export const startProgress = (terminal: Terminal, work: string, total?: number) => {
  let shownAt = performance.now();
  let count = 0;
  const show = (): void => {
    shownAt = performance.now();
    const ofTotal = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
    tell(terminal, `${work} ${count.toLocaleString('en')}${ofTotal}`);
  };
  return {
    add: (entries: number): void => {
      count += entries;
      if (performance.now() - shownAt >= 5_000) {
        show();
      }
    },
    [Symbol.dispose]: show,
  };
};
