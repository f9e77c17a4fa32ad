import { createInterface } from 'node:readline';
import { CliError } from './cli-error.ts';

/**
 * Asks on the terminal, unless there was a --yes.
 * @throws CliError if the answer is not yes, or there is no one to ask
 */
export const confirm = async (question: string, yes: boolean | undefined): Promise<void> => {
  if (yes) {
    return;
  }
  if (!process.stdin.isTTY) {
    throw new CliError('notConfirmed', `${question}\nThere is no terminal to ask on; --yes confirms.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    terminal.on('SIGINT', () => terminal.close());
    terminal.once('close', () => resolve(''));
    terminal.question(`${question} [y/N] `, resolve);
  });
  terminal.close();
  if (!/^y(es)?$/i.test(answer)) {
    throw new CliError('notConfirmed', 'Nothing was changed.');
  }
};
