import { showBar, type Terminal, tell } from './terminal.ts';

/** Shows how far a work has come, its rate and the time left: a bar on a terminal, else a line every five seconds. */
export const showProgress = (terminal: Terminal, work: string) => {
  const { stderr } = terminal;
  const pause = stderr.isTTY ? 100 : 5_000;
  const startedAt = performance.now();
  let shownAt = startedAt;
  let count = 0;

  const progress = (fraction?: number): string => {
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = Math.round(count / seconds).toLocaleString('en');
    const soFar = `${work} ${count.toLocaleString('en')} entries, ${rate}/s`;
    if (!fraction) {
      return soFar;
    }
    const bar = stderr.isTTY ? `[${'#'.repeat(Math.floor(fraction * 20)).padEnd(20, '-')}] ` : '';
    const left = (seconds * (1 - fraction)) / fraction;
    const duration = left < 100 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`;
    return `${bar}${Math.floor(fraction * 100)} %, ${soFar}, ${duration} left`;
  };
  return {
    /** `fraction` is of all there is to do, from 0 to 1, if that is known. */
    update: (newCount: number, fraction?: number): void => {
      count = newCount;
      if (performance.now() - shownAt >= pause) {
        shownAt = performance.now();
        const show = stderr.isTTY ? showBar : tell;
        show(terminal, progress(fraction));
      }
    },
    end: (): void => {
      tell(terminal, progress());
    },
  };
};
