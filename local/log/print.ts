import { inspect } from 'node:util';

/**
 * Escapes control characters as JSON does, except tabs and line feeds, so that no text in a request
 * can control the terminal that shows the log.
 */
const escapeControls = (text: string): string =>
  text.replace(
    /(?![\t\n])\p{Cc}/gu,
    (character) => `\\u00${Buffer.from(character, 'latin1').toString('hex')}`,
  );

/** Prints a line of the log on standard output. */
export const printLine = (line: string): void => console.log(escapeControls(line));

/** Prints what went wrong on standard error: a line, or an error with its stack and causes. */
export const printFailure = (failure: unknown): void =>
  console.error(escapeControls(typeof failure === 'string' ? failure : inspect(failure)));
