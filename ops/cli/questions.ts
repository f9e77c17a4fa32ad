import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CliError } from './errors.ts';
import { escapeControls, type Terminal } from './terminal.ts';

/** Asks on the terminal. Throws unless the reply is yes, or `--yes` was given. */
export const confirm = async (
  terminal: Terminal,
  { yes }: { yes?: boolean },
  question: string,
): Promise<void> => {
  if (yes) {
    return;
  }
  if (!terminal.stdin.isTTY) {
    throw new CliError(`${question} There is no terminal to ask on: confirm with --yes.`);
  }
  const reply = await ask(terminal, `${escapeControls(question)} [y/N] `, terminal.stderr);
  if (!/^y(es)?$/i.test(reply)) {
    throw new CliError('Nothing was changed.');
  }
};

/** Reads a secret: typed on the terminal, which does not show it, or from a pipe or file. */
export const readSecret = async (terminal: Terminal, prompt: string): Promise<string> => {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY) {
    return text(stdin);
  }
  stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return ask(terminal, '', nowhere).finally(() => stderr.write('\n'));
};

/** Returns the reply to a prompt. Throws after Ctrl-C and Ctrl-D. */
const ask = async ({ stdin }: Terminal, prompt: string, echo: Writable): Promise<string> => {
  using lines = createInterface({ input: stdin, output: echo, terminal: true });
  return await lines.question(prompt);
};
