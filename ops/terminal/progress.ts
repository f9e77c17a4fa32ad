const { stderr } = process;

/** Takes a progress bar off the terminal, so that a line can be printed in its place. */
export const clearBar = (): void => {
  if (stderr.isTTY) {
    stderr.write('\r\x1b[K');
  }
};

export interface Progress {
  /** Of all there is to do, from 0 to 1; unknown without it. */
  update(count: number, fraction?: number): void;
  end(): void;
}

/** For programs that show none. */
export const noProgress: Progress = { update: () => {}, end: () => {} };

/** Shows how far a work has come, its rate and the time left: a bar on a terminal, else a line every five seconds. */
export const showProgress = (work: string): Progress => {
  const pause = stderr.isTTY ? 100 : 5_000;
  const startedAt = performance.now();
  let first: { count: number; fraction: number } | undefined;
  let last = { count: 0, fraction: undefined as number | undefined };
  let shownAt = startedAt;

  const elapsed = () => (performance.now() - startedAt) / 1000;
  const soFar = () => {
    const rate = (last.count - (first?.count ?? 0)) / elapsed();
    return `${work} ${last.count.toLocaleString('en')} entries, ${Math.round(rate).toLocaleString('en')}/s`;
  };
  const show = () => {
    const { fraction } = last;
    if (fraction === undefined) {
      return soFar();
    }
    const covered = fraction - (first?.fraction ?? 0);
    const left = covered > 0 ? `, ${duration((elapsed() * (1 - fraction)) / covered)} left` : '';
    const bar = '#'.repeat(Math.floor(fraction * 20)).padEnd(20, '-');
    return `${stderr.isTTY ? `[${bar}] ` : ''}${Math.floor(fraction * 100)} %, ${soFar()}${left}`;
  };
  return {
    update: (count, fraction) => {
      first ??= { count: Math.max(0, count - 1), fraction: fraction ?? 0 };
      last = { count, fraction };
      const now = performance.now();
      if (now - shownAt >= pause) {
        shownAt = now;
        stderr.write(stderr.isTTY ? `\r${show()}\x1b[K` : `${show()}\n`);
      }
    },
    end: () => {
      clearBar();
      stderr.write(`${soFar()}\n`);
    },
  };
};

const duration = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
