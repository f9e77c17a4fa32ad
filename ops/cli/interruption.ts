import type { EventEmitter } from 'node:events';

/**
 * The time in milliseconds in which a second SIGINT comes from the same Ctrl-C: the terminal sends
 * it to npm as well, and npm hands it on.
 */
const samePress = 500;

/**
 * Returns a signal that the first Ctrl-C, SIGTERM or SIGHUP of a process aborts. A second Ctrl-C
 * calls `end`, but a second SIGTERM or SIGHUP does nothing: a terminal that is closed sends SIGHUP
 * twice.
 */
export const interruption = (process: EventEmitter, end: () => void): AbortSignal => {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  process.on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  let firstPress: number | undefined;
  process.on('SIGINT', () => {
    const now = performance.now();
    firstPress ??= now;
    if (now - firstPress > samePress) {
      end();
    }
    interrupt();
  });
  return controller.signal;
};
