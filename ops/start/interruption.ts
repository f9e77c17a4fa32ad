import type { Terminal } from '../cli/terminal.ts';
import { whenNpmEnds } from './npm-process.ts';

/**
 * Returns a signal that is aborted by Ctrl-C, when a terminal or a supervisor ends the process or the
 * npm that runs it, and when nobody reads its output any more. A second Ctrl-C ends the process at
 * once.
 */
export const interruption = ({ stdout, env }: Terminal): AbortSignal => {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, interrupt);
  }
  for (const output of [stdout, process.stderr]) {
    output.on('error', interrupt);
  }
  whenNpmEnds(env, interrupt);
  return controller.signal;
};
