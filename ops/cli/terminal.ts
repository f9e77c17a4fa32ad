import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from './cli-error.ts';

type Output = Writable & { isTTY?: boolean };

/**
 * The streams and the environment that a command uses: those of its process, or those of a test.
 */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; a second one ends the process. Until this is read, the
   * first one does.
   */
  readonly signal: AbortSignal;
}

/**
 * Returns the result of the work, or rejects after Ctrl-C so that the command can remove its
 * temporary files.
 */
export const untilInterrupted = <Result>(
  { signal }: Terminal,
  work: Promise<Result>,
): Promise<Result> =>
  Promise.race([work, once(signal, 'abort').then(() => Promise.reject(signal.reason))]);

/**
 * Writes to standard output. Returns the error if that fails, for instance because the reader has
 * left.
 */
export const write = ({ stdout }: Terminal, text: string): Promise<Error | null | undefined> =>
  new Promise((resolve) => void stdout.write(text, resolve));

/**
 * Escapes control characters as JSON does, so that no stored or typed text can control the
 * terminal.
 */
export const escapeControls = (text: string): string =>
  text.replace(
    /(?![\t\n])\p{Cc}/gu,
    (character) => `\\u00${Buffer.from(character, 'latin1').toString('hex')}`,
  );

/**
 * Prints the result of a command: the value in JSON with `--json`, else the text. Returns an error
 * as `write` does.
 */
export const print = (
  terminal: Terminal,
  { json }: { json?: boolean },
  value: unknown,
  text: string,
) => write(terminal, escapeControls(`${json ? toJson(value) : text}\n`));

/** Whether standard error is a terminal on which a line can be erased. */
const hasScreen = ({ stderr, env }: Terminal): boolean =>
  Boolean(stderr.isTTY) && env.TERM !== 'dumb';

/** Prints a line on standard error. On a terminal, it overwrites a progress bar. */
export const tell = (terminal: Terminal, line: string): void => {
  terminal.stderr.write(`${hasScreen(terminal) ? '\r\x1b[K' : ''}${escapeControls(line)}\n`);
};

/**
 * Shows the progress of some work, its rate and the time left: a bar on a terminal, else a line
 * every five seconds. At the end of the work, even if that fails, a line takes the place of the
 * bar.
 * @param fraction returns the part of the whole work that is done, from 0 to 1, if it is known
 */
export const showProgress = (
  terminal: Terminal,
  work: string,
  fraction?: (count: number) => number | undefined,
) => {
  const onScreen = hasScreen(terminal);
  const pause = onScreen ? 100 : 5_000;
  const startedAt = performance.now();
  let shownAt = startedAt;
  let count = 0;

  const progress = (done?: number): string => {
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = Math.round(count / seconds).toLocaleString('en');
    const soFar = `${work} ${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}, ${rate}/s`;
    if (!done) {
      return soFar;
    }
    const bar = onScreen ? `[${'#'.repeat(Math.floor(done * 20)).padEnd(20, '-')}] ` : '';
    const left = (seconds * (1 - done)) / done;
    const duration = left < 100 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`;
    return `${bar}${Math.floor(done * 100)} %, ${soFar}, ${duration} left`;
  };
  return {
    add: (entries = 1): void => {
      count += entries;
      if (performance.now() - shownAt >= pause) {
        shownAt = performance.now();
        const shown = progress(fraction?.(count));
        terminal.stderr.write(onScreen ? `\r${shown}\x1b[K` : `${shown}\n`);
      }
    },
    [Symbol.dispose]: (): void => tell(terminal, progress()),
  };
};

export const hasColors = ({ env }: Terminal, { isTTY }: Output): boolean =>
  Boolean(isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';

/**
 * Asks on the terminal, unless `yes` was given as an option, and throws a CliError unless the reply
 * is yes.
 */
export const confirm = async (
  terminal: Terminal,
  question: string,
  yes?: boolean,
  signal?: AbortSignal,
) => {
  if (yes) {
    return;
  }
  // If the import was typed on the terminal, the Ctrl-D that ended it has also ended standard
  // input.
  if (!terminal.stdin.isTTY || !terminal.stdin.readable) {
    throw new CliError('not_confirmed', question, {
      hint: 'There is no terminal to ask on. Confirm with --yes.',
    });
  }
  if (
    !/^y(es)?$/i.test(
      await ask(terminal, `${escapeControls(question)} [y/N] `, terminal.stderr, signal),
    )
  ) {
    throw new CliError('not_confirmed', 'Nothing was changed.');
  }
};

/**
 * Returns the reply that is typed on the terminal, or '' after Ctrl-D. Throws a CliError after
 * Ctrl-C.
 */
const ask = async (
  { stdin }: Terminal,
  prompt: string,
  echo: Writable,
  signal?: AbortSignal,
): Promise<string> => {
  const lines = createInterface({ input: stdin, output: echo, terminal: true });
  signal?.addEventListener('abort', () => lines.emit('SIGINT'));
  const interrupted = once(lines, 'SIGINT').then(() => null);
  const closed = once(lines, 'close').then(() => undefined);
  const reply = await Promise.race([
    lines.question(prompt).catch(() => undefined),
    interrupted,
    closed,
  ]);
  lines.close();
  // Enter has already ended the line on the screen; Ctrl-C and Ctrl-D have not.
  echo.write(reply == null ? '\n' : '');
  if (reply === null) {
    throw new CliError('interrupted', 'Interrupted. Nothing was changed.');
  }
  return reply ?? '';
};

/**
 * Reads a secret from the terminal, which does not show it, or up to about 4,096 characters from a
 * pipe or a file.
 */
export const readSecret = async (terminal: Terminal, prompt: string): Promise<string> => {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY) {
    const typed = ask(terminal, '', new Writable({ write: (_chunk, _encoding, done) => done() }));
    // The prompt appears only now, when the terminal no longer shows what is typed.
    stderr.write(prompt);
    return (await typed.finally(() => stderr.write('\n'))).trim();
  }
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > 4_096) {
      break;
    }
  }
  return text.trim();
};
