import { homedir } from 'node:os';
import { exitCodes } from './cli/cli-error.ts';
import { interruption } from './cli/interruption.ts';
import { runProgram } from './program.ts';
import { privateDirectory } from './stage/private-directory.ts';

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

/**
 * Ends the process as Ctrl-C does by default, which shells report as 130, after every other
 * listener of its exit.
 */
const dieInterrupted = () => {
  // exit() alone waits for pending file system calls, such as opening a FIFO that nobody reads. A
  // signal does not.
  process.once('exit', () => process.removeAllListeners('SIGINT').kill(process.pid, 'SIGINT'));
  process.exit();
};

let signal: AbortSignal | undefined;
const code = await runProgram(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  get signal() {
    signal ??= interruption(process, dieInterrupted);
    return signal;
  },
});
// The callback runs once everything is written to stderr.
stderr.write('', () => (code === exitCodes.interrupted ? dieInterrupted() : process.exit(code)));
