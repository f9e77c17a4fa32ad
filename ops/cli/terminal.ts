import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { toJson } from '../../functions/shared/json.ts';

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
   * Aborted by the first Ctrl-C, SIGTERM or SIGHUP. A second Ctrl-C ends the process. Until this is
   * read, the first one does.
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

const escapeOf = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes control characters as JSON does, so that no stored or typed text can control the
 * terminal: those of C0 and C1, and those that change the direction of text. Tabs and line breaks
 * stay.
 */
export const escapeControls = (text: string): string =>
  text.replace(/(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escapeOf);

/** Escapes tabs and line breaks, too, so that a stored text can imitate no other line or column. */
export const oneLine = (text: string): string => escapeControls(text).replace(/[\t\n]/g, escapeOf);

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
export const hasScreen = ({ stderr, env }: Terminal): boolean =>
  Boolean(stderr.isTTY) && env.TERM !== 'dumb';

/** Prints a line on standard error. On a terminal, it overwrites a progress bar. */
export const tell = (terminal: Terminal, line: string): void => {
  terminal.stderr.write(`${hasScreen(terminal) ? '\r\x1b[K' : ''}${escapeControls(line)}\n`);
};

export const hasColors = ({ env }: Terminal, { isTTY }: Output): boolean =>
  Boolean(isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
