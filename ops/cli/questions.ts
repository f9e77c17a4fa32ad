import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from './cli-error.ts';
import { escapeControls, type Terminal } from './terminal.ts';

/** The most characters that are read of a secret in a pipe or a file. */
const secretLimit = 65_536;

interface Confirmation {
  question: string;
  /** Whether there is nothing to ask, because of an option or because the change is harmless. */
  isConfirmed: boolean | undefined;
  /** Ends the question, as Ctrl-C on the terminal does, for a command that reacts to it anyway. */
  signal?: AbortSignal;
}

/** Asks on the terminal. Throws a CliError unless the reply is yes. */
export const confirm = async (
  terminal: Terminal,
  { question, isConfirmed, signal }: Confirmation,
): Promise<void> => {
  if (isConfirmed) {
    return;
  }
  const { stdin, stderr } = terminal;
  // If an import was typed on the terminal, the Ctrl-D that ended it has also ended standard input.
  const canAsk = stdin.isTTY && stdin.readable;
  if (!canAsk) {
    throw new CliError('not_confirmed', `This needs a confirmation: ${question}`, {
      hint: 'There is no terminal to ask on. Confirm with --yes.',
    });
  }
  const reply = await ask(terminal, {
    prompt: `${escapeControls(question)} [y/N] `,
    echo: stderr,
    signal,
  });
  if (!/^y(es)?$/i.test(reply)) {
    throw new CliError('not_confirmed', 'Nothing was changed.');
  }
};

interface Prompt {
  prompt: string;
  /** Where the terminal shows what is typed. */
  echo: Writable;
  signal?: AbortSignal | undefined;
}

const interruption = Symbol('Ctrl-C');
const closure = Symbol('Ctrl-D');

/**
 * Returns the reply that is typed on the terminal, or '' after Ctrl-D. Throws a CliError after
 * Ctrl-C.
 */
const ask = async ({ stdin }: Terminal, { prompt, echo, signal }: Prompt): Promise<string> => {
  const lines = createInterface({ input: stdin, output: echo, terminal: true });
  signal?.addEventListener('abort', () => lines.emit('SIGINT'));
  const reply = await Promise.race([
    lines.question(prompt).catch(() => closure),
    once(lines, 'SIGINT').then(() => interruption),
    once(lines, 'close').then(() => closure),
  ]);
  lines.close();
  if (typeof reply === 'string') {
    return reply;
  }
  // Enter would have ended the line on the screen.
  echo.write('\n');
  if (reply === interruption) {
    throw new CliError('interrupted', 'Interrupted. Nothing was changed.');
  }
  return '';
};

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Reads a secret from the terminal, which does not show it, or the beginning of a pipe or a file,
 * up to about 64 KiB.
 */
export const readSecret = async (terminal: Terminal, prompt: string): Promise<string> => {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY) {
    const typed = ask(terminal, { prompt: '', echo: nowhere() });
    // The prompt appears only now, when the terminal no longer shows what is typed.
    stderr.write(prompt);
    return await typed.finally(() => stderr.write('\n'));
  }
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > secretLimit) {
      break;
    }
  }
  return text;
};
