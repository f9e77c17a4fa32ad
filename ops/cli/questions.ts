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

/** Asks on the terminal for the code that a device for MFA shows, until the signal aborts. */
export const askForCode = async (
  { stdin, stderr }: Terminal,
  serialNumber: string,
  signal: AbortSignal,
): Promise<string> => {
  if (!stdin.isTTY) {
    throw new CliError(
      `AWS asks for the code of ${serialNumber}, and there is no terminal to ask on. ` +
        'Set AWS_PROFILE to one that is signed in.',
    );
  }
  stderr.write(`MFA code of ${serialNumber}: `);
  return (await lineFrom(stdin, signal)).trim();
};

/** Returns the line that is typed, which the terminal itself shows; '' after Ctrl-D. */
const lineFrom = async (input: NodeJS.ReadableStream, signal?: AbortSignal): Promise<string> => {
  // Closed at the end, or the process would wait for more.
  using lines = createInterface({ input, ...(signal && { signal }) });
  for await (const line of lines) {
    return line;
  }
  return '';
};
