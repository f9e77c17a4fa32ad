import { notWritten } from '../cli/output.ts';
import type { Terminal } from '../cli/terminal.ts';

/**
 * Returns a signal that is aborted by Ctrl-C, when a terminal or a supervisor ends the process, and
 * when whoever has started it has ended; and, with the error as its reason, when its output cannot be
 * written any more. A second Ctrl-C ends the process at once.
 */
export const interruption = ({ stdout }: Pick<Terminal, 'stdout'>): AbortSignal => {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, interrupt);
  }
  for (const output of [stdout, process.stderr]) {
    output.on('error', (error) => controller.abort(notWritten(error)));
  }
  const starter = process.ppid;
  setInterval(() => process.ppid !== starter && interrupt(), 1_000).unref();
  return controller.signal;
};
