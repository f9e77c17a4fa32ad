import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from './cli-error.ts';

type Output = Writable & { isTTY?: boolean; columns?: number };

/** What a command talks through: the streams and the environment of its process, or those of a test. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; the second ends the process. Only a command that reads it can end in
   * order: any other is ended by the first.
   */
  readonly signal: AbortSignal;
}

/** Prints what a command returns: with `--json` one JSON value, else a text. */
export const print = ({ stdout }: Terminal, { json }: { json?: boolean }, value: unknown, text: string): void => {
  stdout.write(`${json ? toJson(value) : text}\n`);
};

/** Prints a line about what a command does, on standard error. */
export const tell = ({ stderr }: Terminal, line: string): void => {
  stderr.write(`${line}\n`);
};

export const hasColours = ({ env }: Terminal, { isTTY }: Output): boolean => Boolean(isTTY) && !env.NO_COLOR;

/** Text for standard error, in colour on a terminal. */
export const coloured = (terminal: Terminal, format: Parameters<typeof styleText>[0], text: string): string =>
  hasColours(terminal, terminal.stderr) ? styleText(format, text, { validateStream: false }) : text;

/**
 * Asks on the terminal, unless there was a `--yes`.
 * @throws CliError if the reply is not yes, or there is no one to ask
 */
export const confirm = async (terminal: Terminal, question: string, yes: boolean | undefined): Promise<void> => {
  if (yes) {
    return;
  }
  if (!terminal.stdin.isTTY) {
    throw new CliError('not_confirmed', question, { hint: 'There is no terminal to ask on; --yes confirms.' });
  }
  if (!/^y(es)?$/i.test(await ask(terminal, `${question} [y/N] `))) {
    throw new CliError('not_confirmed', 'Nothing was changed.');
  }
};

/** What is typed on the terminal in reply to a prompt; nothing after Ctrl-C or Ctrl-D. */
export const ask = ({ stdin, stderr }: Terminal, prompt: string): Promise<string> => {
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  return new Promise<string>((resolve) => {
    lines.on('SIGINT', () => lines.close());
    lines.once('close', () => resolve(''));
    lines.question(prompt, resolve);
  }).finally(() => lines.close());
};
