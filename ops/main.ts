import { homedir } from 'node:os';
import { privateDirectory } from '../infra/assembly/private-directory.ts';
import type { Terminal } from './cli/terminal.ts';
import { runProgram } from './program.ts';

const home = (): string => {
  try {
    return homedir();
  } catch {
    return privateDirectory();
  }
};

// The AWS SDK fails for a user who has neither this variable nor a passwd entry.
process.env.HOME ??= home();

// A reader such as head may leave early, and needs no word about it; a full disk does.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') {
    process.exit(0);
  }
  process.stderr.write(`petstore: standard output cannot be written: ${message}\n`);
  process.exit(1);
});
process.stderr.on('error', () => {});

/** Not by process.exit() alone, which waits for calls of the file system, such as to open a FIFO that nobody reads. */
const endAtOnce = () => {
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  process.exit();
};

const interruption = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => (controller.signal.aborted ? endAtOnce() : controller.abort()));
  }
  return controller.signal;
};

let signal: AbortSignal | undefined;
const { stdin, stdout, stderr, env } = process;
const terminal: Terminal = {
  ...{ stdin, stdout, stderr, env },
  get signal() {
    signal ??= interruption();
    return signal;
  },
};
const code = await runProgram(process.argv.slice(2), terminal);
// Once all is written, and an error of that was heard.
stdout.write('', () => setImmediate(() => process.exit(code)));
