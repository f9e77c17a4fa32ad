import type { Readable, Writable } from 'node:stream';
import stringWidth from 'string-width';
import { visible } from '../../functions/shared/visible.ts';

/** What a command uses of its process. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  /** `isClosed` says that nothing which is written to it arrives anywhere. */
  stdout: Writable & { isTTY?: boolean; columns?: number; isClosed?: boolean };
  stderr: { write(text: string): unknown; isTTY?: boolean };
  env: NodeJS.ProcessEnv;
}

/** The streams of a process, or of a test. */
export type Streams = Terminal & { stderr: Writable & { isTTY?: boolean } };

/** Returns a text of several lines so that a reader sees all of it, and none of it is a command. */
export const visibleLines = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : visible(part)))
    .join('');

// All of `petstore_prod_0a1b…` up to a blank or a quote, and of one that was copied with a line break
// or typed with a wrong key in it: `petstore_prod_0a1b\n4be1c0ff…`, `petstore_prod_0a\u001b1b…`.
const key = /(petstore_[a-z]+_)(?:[^\s'"\\]|\\u[0-9a-f]{4}|(?:\s|\\[nrt])+(?=[0-9a-f]{8}))+/gi;

// The 48 digits alone are as secret, as in `petstore_prod0a1b…`, where the d of prod is a digit, too.
// A hash has 64.
const digitsOfKey = /(?<![0-9a-f])[0-9a-f]{48,63}(?![0-9a-f])/gi;

/** Returns a text without keys. It has to be done before a text is cut: half a key is not known. */
export const withoutKeys = (text: string): string =>
  text.replace(key, '$1…').replace(digitsOfKey, '…');

/**
 * Returns the terminal with a standard error that shows no API key, although one may be typed as an
 * argument by mistake, and that nothing stored or typed can control. Errors of writing to it are
 * ignored, because nobody is left to be told.
 */
export const guarded = ({ stderr, ...terminal }: Streams): Terminal => {
  stderr.on('error', () => {});
  const write = (text: string): unknown => {
    // Progress begins with a carriage return, to take the place of the line before it.
    const [, start = '', rest = ''] = /^(\r?)(.*)$/s.exec(text) ?? [];
    return stderr.write(start + withoutKeys(visibleLines(rest)));
  };
  return { ...terminal, stderr: { write, isTTY: stderr.isTTY ?? false } };
};

/** Prints a line on standard error. */
export const tell = ({ stderr }: Terminal, line: string): void => {
  stderr.write(`${line}\n`);
};

/** Returns rows of cells as the lines of a table, in columns as wide as their widest cell. */
export const tableOf = (rows: string[][]): string => {
  const cells = rows.map((row) => row.map((cell) => visible(cell)));
  const widths = cells[0]?.map((_cell, column) =>
    Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))),
  );
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat((widths?.[column] ?? 0) - stringWidth(cell));
  return cells.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
};
