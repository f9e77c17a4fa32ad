import { once } from 'node:events';
import type { Terminal } from './terminal.ts';

/** What work returns, unless Ctrl-C comes first: then the command ends in order, and removes its temporary files. */
export const untilInterrupted = <Result>({ signal }: Terminal, work: Promise<Result>): Promise<Result> =>
  Promise.race([work, once(signal, 'abort').then(() => Promise.reject(signal.reason))]);
