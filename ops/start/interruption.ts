import { whenStarterEnds } from '../../node-24.cjs';
import type { Terminal } from '../cli/terminal.ts';

/**
 * Returns a signal that is aborted by Ctrl-C, when a terminal or a supervisor ends the process, when
 * whoever has started it has ended, and when nobody reads its output any more. A second Ctrl-C ends
 * the process at once.
 */
export const interruption = ({ stdout }: Pick<Terminal, 'stdout'>): AbortSignal => {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, interrupt);
  }
  for (const output of [stdout, process.stderr]) {
    output.on('error', interrupt);
  }
  whenStarterEnds(interrupt);
  return controller.signal;
};
