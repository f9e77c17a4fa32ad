import { hasScreen, type Terminal, tell } from './terminal.ts';

const barWidth = 20;
const millisecondsBetweenBars = 100;
const millisecondsBetweenLines = 5_000;

const bar = (done: number): string =>
  `[${'#'.repeat(Math.floor(done * barWidth)).padEnd(barWidth, '-')}] `;

const duration = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

/**
 * Shows the progress of some work, its rate and the time left: a bar on a terminal, else a line
 * every five seconds. At the end of the work, even if that fails, a line takes the place of the
 * bar.
 * @param work what is done, as the first word of a sentence, such as Read
 * @param fraction returns the part of the whole work that is done, from 0 to 1, if it is known
 */
export const showProgress = (
  terminal: Terminal,
  work: string,
  fraction?: (count: number) => number | undefined,
) => {
  const onScreen = hasScreen(terminal);
  const pause = onScreen ? millisecondsBetweenBars : millisecondsBetweenLines;
  const startedAt = performance.now();
  let shownAt = startedAt;
  let count = 0;

  const seconds = () => (performance.now() - startedAt) / 1000;
  const soFar = (): string => {
    const entries = `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`;
    const rate = count === 0 ? '0' : Math.round(count / seconds()).toLocaleString('en');
    return `${work} ${entries}, ${rate}/s`;
  };
  const withTimeLeft = (done: number): string => {
    const left = duration((seconds() * (1 - done)) / done);
    return `${Math.floor(done * 100)} %, ${soFar()}, ${left} left`;
  };
  const show = (): void => {
    // Until a part is done, nobody can tell how long the rest takes.
    const done = fraction?.(count) ?? 0;
    const line = done > 0 ? withTimeLeft(done) : soFar();
    const shownBar = done > 0 ? bar(done) : '';
    terminal.stderr.write(onScreen ? `\r${shownBar}${line}\x1b[K` : `${line}\n`);
  };
  return {
    add: (entries = 1): void => {
      count += entries;
      if (performance.now() - shownAt >= pause) {
        shownAt = performance.now();
        show();
      }
    },
    [Symbol.dispose]: (): void => {
      // In a log, a line about no work at all says nothing.
      if (onScreen || count > 0) {
        tell(terminal, soFar());
      }
    },
  };
};
