import type { Terminal } from './terminal.ts';

/** Takes a progress bar off the terminal, so that a line can be printed in its place. */
export const clearBar = ({ stderr }: Terminal): void => {
  if (stderr.isTTY) {
    stderr.write('\r\x1b[K');
  }
};

export interface Progress {
  /** Of all there is to do, from 0 to 1; unknown without it. */
  update(count: number, fraction?: number): void;
  end(): void;
}

/** Shows how far a work has come, its rate and the time left: a bar on a terminal, else a line every five seconds. */
export const showProgress = (terminal: Terminal, work: string): Progress => {
  const { stderr } = terminal;
  const pause = stderr.isTTY ? 100 : 5_000;
  const startedAt = performance.now();
  let shownAt = startedAt;
  let count = 0;

  const elapsed = () => (performance.now() - startedAt) / 1000;
  const soFar = () => {
    const rate = Math.round(count / elapsed());
    return `${work} ${count.toLocaleString('en')} entries, ${rate.toLocaleString('en')}/s`;
  };
  const withTimeLeft = (fraction: number) => {
    const left = (elapsed() * (1 - fraction)) / fraction;
    const bar = `[${'#'.repeat(Math.floor(fraction * 20)).padEnd(20, '-')}] `;
    return `${stderr.isTTY ? bar : ''}${Math.floor(fraction * 100)} %, ${soFar()}, ${duration(left)} left`;
  };
  return {
    update: (newCount, fraction) => {
      count = newCount;
      if (performance.now() - shownAt >= pause) {
        shownAt = performance.now();
        const text = fraction ? withTimeLeft(fraction) : soFar();
        stderr.write(stderr.isTTY ? `\r${text}\x1b[K` : `${text}\n`);
      }
    },
    end: () => {
      clearBar(terminal);
      stderr.write(`${soFar()}\n`);
    },
  };
};

const duration = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
