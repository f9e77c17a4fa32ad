import { homedir } from 'node:os';
import { privateDirectory } from '../infra/assembly/private-directory.ts';
import { runProgram } from './program.ts';

const { stdin, stdout, stderr, env } = process;

try {
  env.HOME ??= homedir();
} catch {
  // The AWS SDK fails for a user who has neither this variable nor a passwd entry.
  env.HOME = privateDirectory();
}

// A reader such as head may leave early, and needs no word about it; a full disk does.
stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') {
    process.exit(0);
  }
  stderr.write(`petstore: standard output cannot be written: ${message}\n`);
  process.exit(1);
});
stderr.on('error', () => {});

const interruption = (): AbortSignal => {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) {
      // By itself, exit() waits for calls of the file system, such as to open a FIFO that nobody reads.
      process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
      process.exit();
    }
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  return controller.signal;
};

let signal: AbortSignal | undefined;
const code = await runProgram(process.argv.slice(2), {
  ...{ stdin, stdout, stderr, env },
  get signal() {
    signal ??= interruption();
    return signal;
  },
});
// Once all is written, and an error of that was heard.
stdout.write('', () => setImmediate(() => process.exit(code)));
