import type { Readable, Writable } from 'node:stream';
import { toJson } from '../../functions/shared/json.ts';

type Output = Writable & { isTTY?: boolean };

/** What a command uses of its process, or of a test. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
}

/**
 * Escapes control characters as JSON does, except tabs and line breaks, so that no stored or typed
 * text can control the terminal.
 */
export const escapeControls = (text: string): string =>
  text.replace(
    /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Prints the result of a command: the value in JSON with `--json`, else the text.
 * @throws Error if it cannot be written
 */
export const print = (
  { stdout }: Terminal,
  { json }: { json?: boolean },
  value: unknown,
  text: string,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const line = escapeControls(`${json ? toJson(value) : text}\n`);
    stdout.write(line, (error) => (error ? reject(error) : resolve()));
  });

/** Prints a line on standard error. */
export const tell = ({ stderr }: Terminal, line: string): void => {
  stderr.write(`${escapeControls(line)}\n`);
};

/** Returns rows of cells as the lines of a table. */
export const tableOf = (rows: string[][]): string => {
  const widths = rows[0]?.map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
};
