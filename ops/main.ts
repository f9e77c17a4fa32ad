import { homedir, tmpdir } from 'node:os';
import { CliError, exitCodes } from './cli/cli-error.ts';
import { interruption } from './cli/interruption.ts';
import { reportError } from './cli/report-error.ts';
import type { Terminal } from './cli/terminal.ts';
import { runProgram } from './program.ts';
import { privateDirectory } from './stage/private-directory.ts';

const { stdin, stdout, stderr, env } = process;

/** Sets HOME for a user who has neither HOME nor a passwd entry, for whom the AWS SDK fails. */
const setHome = (): void => {
  try {
    env.HOME ??= homedir();
  } catch {
    try {
      env.HOME = privateDirectory();
    } catch (cause) {
      const reason = (cause as Error).message;
      const message = `HOME is not set, and ${tmpdir()} cannot be used instead: ${reason}.`;
      const hint = 'Set HOME or TMPDIR to a directory in which you may write.';
      throw new CliError('invalid', message, { hint, cause });
    }
  }
};

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
const terminal: Terminal = {
  stdin,
  stdout,
  stderr,
  env,
  get signal() {
    signal ??= interruption(process, dieInterrupted);
    return signal;
  },
};

const run = async (words: string[]): Promise<number> => {
  try {
    setHome();
  } catch (error) {
    return reportError(terminal, error, { json: false, verbose: false });
  }
  return runProgram(words, terminal);
};

const code = await run(process.argv.slice(2));
// The callback runs once everything is written to stderr.
stderr.write('', () => (code === exitCodes.interrupted ? dieInterrupted() : process.exit(code)));
