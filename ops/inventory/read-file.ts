import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { visible } from '../../functions/shared/visible.ts';
import { CliError } from '../cli/errors.ts';

/** In bytes: about nine million entries, which need 2 to 3 GB of memory. */
const longest = 250_000_000;

/**
 * Returns the text of a file, or of standard input if it is named `-`.
 * @throws CliError if it is too long, or not in UTF-8
 */
export const readText = async (file: string, stdin: Readable): Promise<string> =>
  textOf(await (file === '-' ? readAll(stdin) : readFile(file)));

const readFile = async (file: string): Promise<Buffer> => {
  const { size } = await stat(file);
  if (size > longest) {
    throw tooLong(`has ${inDigits(size)} bytes`);
  }
  // A pipe has no size, so that its bytes are counted as they arrive.
  return readAll(createReadStream(file));
};

const readAll = async (stream: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > longest) {
      throw tooLong(`has more than ${inDigits(longest)} bytes`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
};

const inDigits = (count: number): string => count.toLocaleString('en');

const tooLong = (size: string): CliError =>
  new CliError(
    `The file ${size}. An import takes at most ${inDigits(longest)}.\n` +
      'Split it, and import one part after the other. Each part of CSV needs the first line.',
  );

const textOf = (bytes: Buffer): string => {
  if (bytes.subarray(0, headLength).includes(0)) {
    throw new CliError(
      `The file is not text in UTF-8: it may be a workbook, or UTF-16. ${howToSave}`,
    );
  }
  if (!isUtf8(bytes)) {
    throw notUtf8(bytes);
  }
  // This drops the byte order mark that Excel writes.
  return new TextDecoder().decode(bytes);
};

const howToSave = 'Save it as CSV in UTF-8.';

/** In bytes. Workbooks, archives and UTF-16 have a null byte among their first ones. */
const headLength = 16;

/** The error for a file that is not in UTF-8, which shows the first place where it is not. */
const notUtf8 = (bytes: Buffer): CliError => {
  let start = 0;
  let end = endOfLine(bytes, start);
  while (isUtf8(bytes.subarray(start, end))) {
    start = end;
    end = endOfLine(bytes, start);
  }
  const [before = ''] = bytes.toString('utf8', start, end).split('\ufffd');
  const line = lineOf(bytes.subarray(0, start + Buffer.byteLength(before)));
  const shown = visible(before.split('\r').at(-1)?.slice(-40) ?? '');
  return new CliError(
    `Line ${line} is not text in UTF-8, after "${shown}". ${howToSave}\n` +
      'If it is in Windows-1252 (Latin-1): iconv -f WINDOWS-1252 -t UTF-8 FILE > utf-8.csv',
  );
};

/** Returns where the next line begins, after a line feed, which is part of no other character. */
const endOfLine = (bytes: Buffer, start: number): number => {
  const lineFeed = bytes.indexOf('\n', start);
  return lineFeed === -1 ? bytes.length : lineFeed + 1;
};

/** Returns the number of the line in which some bytes end. */
const lineOf = (bytes: Buffer): number => {
  let line = 1;
  for (const [index, byte] of bytes.entries()) {
    // CRLF is one line break.
    line += byte === 10 || (byte === 13 && bytes[index + 1] !== 10) ? 1 : 0;
  }
  return line;
};
