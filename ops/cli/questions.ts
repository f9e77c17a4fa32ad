import { createInterface } from 'node:readline';
import { CliError, DeclinedError } from './errors.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks on the terminal, unless `--yes` was given.
 * @throws DeclinedError unless the reply is yes
 * @throws CliError if there is no terminal
 */
export const confirm = async (
  { stdin, stderr }: Terminal,
  { yes }: { yes?: boolean },
  question: string,
): Promise<void> => {
  if (yes) {
    return;
  }
  if (!stdin.isTTY) {
    throw new CliError(`${question} There is no terminal to ask on; confirm with --yes.`);
  }
  stderr.write(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(await lineFrom(stdin))) {
    throw new DeclinedError('Nothing was changed.');
  }
};

/** Returns the line that is typed; '' after Ctrl-D. */
const lineFrom = async (input: NodeJS.ReadableStream): Promise<string> => {
  // Closed at the end, or the process would wait for more.
  using lines = createInterface({ input });
  for await (const line of lines) {
    return line;
  }
  return '';
};
