import type { Readable, Writable } from 'node:stream';
import { visible } from './visible.ts';

/** What a command uses of its process. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: { write(text: string): unknown };
  env: NodeJS.ProcessEnv;
}

/** The streams of a process, or of a test. */
export type Streams = Terminal & { stderr: Writable };

/** Returns a text of several lines so that a reader sees all of it, and none of it is a command. */
export const visibleLines = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : visible(part)))
    .join('');

/** Returns a text without API keys, and what follows one up to a blank or a quote. */
export const withoutKeys = (text: string): string =>
  text.replace(/(petstore_[a-z]+_)[^\s'"\\]+/gi, '$1…');

/**
 * Returns the terminal with a standard error that shows no API key, although one may be typed as an
 * argument by mistake, and that nothing stored or typed can control. Errors of writing to it are
 * ignored, because nobody is left to be told.
 */
export const guarded = ({ stderr, ...terminal }: Streams): Terminal => {
  stderr.on('error', () => {});
  const write = (text: string): unknown => stderr.write(withoutKeys(visibleLines(text)));
  return { ...terminal, stderr: { write } };
};

/** Prints a line on standard error. */
export const tell = ({ stderr }: Terminal, line: string): void => {
  stderr.write(`${line}\n`);
};

/** Returns rows of cells as the lines of a table, in columns as wide as their widest cell. */
export const tableOf = (rows: string[][]): string => {
  const cells = rows.map((row) => row.map((cell) => visible(cell)));
  const widthOf = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  const lineOf = (row: string[]) => row.map((cell, column) => cell.padEnd(widthOf(column)));
  return cells.map((row) => lineOf(row).join('  ').trimEnd()).join('\n');
};
