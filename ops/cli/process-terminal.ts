import type { Terminal } from './terminal.ts';

// A reader such as head may leave early, and needs no word about it; a full disk does.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') {
    process.stderr.write(`petstore: standard output cannot be written: ${message}\n`);
  }
  process.exit(code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => {});

let interruption: AbortSignal | undefined;

const interruptionSignal = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => (controller.signal.aborted ? process.exit(130) : controller.abort()));
  }
  return controller.signal;
};

/** The terminal of this process. */
export const processTerminal: Terminal = {
  // Of standard input, not even its existence is asked before it is needed.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  get signal() {
    interruption ??= interruptionSignal();
    return interruption;
  },
};
