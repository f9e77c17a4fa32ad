import { once } from 'node:events';
import { CliError } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/**
 * What some work returns, unless Ctrl-C comes first: then the command ends in order, and removes its temporary files.
 * @throws CliError `interrupted`
 */
export const untilInterrupted = <Result>({ signal }: Terminal, work: Promise<Result>): Promise<Result> => {
  const interrupted = once(signal, 'abort').then(() => Promise.reject(new CliError('interrupted', 'Interrupted.')));
  return Promise.race([work, interrupted]);
};
