import { homedir } from 'node:os';
import { privateDirectory } from '../infra/assembly/private-directory.ts';
import { runProgram } from './program.ts';

const { stdin, stdout, stderr, env } = process;

try {
  env.HOME ??= homedir();
} catch {
  // The AWS SDK fails for a user who has neither HOME nor a passwd entry.
  env.HOME = privateDirectory();
}

// The event loop is empty, so nothing can settle the promise that the program still awaits.
process.once('beforeExit', () => {
  stderr.write('petstore: The command ended before it was done.\n');
  process.exitCode = 1;
});

const interruption = (): AbortSignal => {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) {
      // exit() alone waits for pending file system calls, such as opening a FIFO that nobody reads. SIGKILL does not.
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
// The callback runs once everything is written to stderr.
stderr.write('', () => process.exit(code));
