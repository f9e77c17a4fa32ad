import { homeDirectory } from '../infra/assembly/private-directory.ts';
import type { Terminal } from './cli/terminal.ts';
import { runProgram } from './program.ts';

// The AWS SDK fails for a user who has none.
process.env.HOME ??= homeDirectory();

// A reader such as head may leave early, and needs no word about it; a full disk does.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') {
    process.exit(0);
  }
  process.stderr.write(`petstore: standard output cannot be written: ${message}\n`);
  process.exit(1);
});
process.stderr.on('error', () => {});

const interruption = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => (controller.signal.aborted ? process.exit(130) : controller.abort()));
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
