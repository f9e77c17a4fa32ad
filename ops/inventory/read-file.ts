import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CliError } from '../cli/errors.ts';
import { withoutKeys } from '../cli/terminal.ts';

/** In bytes: about nine million entries, which need 2 to 3 GB of memory. */
const longest = 250_000_000;

/**
 * Returns the text of a file, or of standard input if it is named `-`.
 * @throws CliError if it is a directory, too long, or not in UTF-8
 */
export const readText = async (file: string, stdin: Readable): Promise<string> =>
  textOf(await (file === '-' ? readAll(stdin) : readFile(file)));

const readFile = async (file: string): Promise<Buffer> => {
  const found = await stat(file);
  if (found.isDirectory()) {
    throw new CliError(`${file} is a directory, not a file.`);
  }
  if (found.size > longest) {
    throw tooLong(inDigits(found.size));
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
      throw tooLong(`more than ${inDigits(longest)}`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
};

const inDigits = (count: number): string => count.toLocaleString('en');

const tooLong = (size: string): CliError =>
  new CliError(
    `The file has ${size} bytes. An import takes at most ${inDigits(longest)}.\n` +
      'Split it, and import one part after the other. Each part of CSV needs the first line.',
  );

/** In bytes. Workbooks, archives and UTF-16 have a null byte among their first ones. */
const headLength = 16;

const howToSave = 'Save it as CSV in UTF-8.';

/** Compressed files by their first bytes, and the programs that unpack them. */
const compressed: [start: string, unpack: string][] = [
  ['1f8b', 'gunzip'],
  ['425a68', 'bunzip2'],
  ['fd377a58', 'unxz'],
  ['28b52ffd', 'unzstd'],
];

const textOf = (bytes: Buffer): string => {
  const unpack = compressed.find(([start]) => bytes.toString('hex', 0, start.length / 2) === start);
  if (unpack !== undefined) {
    throw new CliError(`The file is compressed. Unpack it first: ${unpack[1]} FILE`);
  }
  if (bytes.subarray(0, headLength).includes(0)) {
    throw new CliError(`The file is not UTF-8 text: it may be a workbook or UTF-16. ${howToSave}`);
  }
  // This drops the byte order mark that Excel writes, and replaces what is not in UTF-8.
  const text = new TextDecoder().decode(bytes);
  if (!isUtf8(bytes)) {
    const lines = text.slice(0, text.indexOf('\ufffd')).split(/\r\n|\r|\n/);
    const before = withoutKeys(lines.at(-1)?.slice(-200) ?? '').slice(-40);
    throw new CliError(
      `Line ${lines.length} is not UTF-8 text, after "${before}". ${howToSave}\n` +
        'If it is in Windows-1252 (Latin-1): iconv -f WINDOWS-1252 -t UTF-8 FILE > utf-8.csv',
    );
  }
  return withoutPadding(text);
};

/**
 * Returns a text without what old editors leave at its end: Ctrl-Z, and NUL up to a full block.
 * @throws CliError if one of them is anywhere else
 */
const withoutPadding = (text: string): string => {
  const found = ['\0', '\u001a'].map((each) => text.indexOf(each)).filter((at) => at >= 0);
  const end = Math.min(...found, text.length);
  if (/[^\s\p{Cc}]/u.test(text.slice(end))) {
    const line = text.slice(0, end).split(/\r\n|\r|\n/).length;
    throw new CliError(
      `Line ${line} has a NUL or a Ctrl-Z in it, so the file may be damaged. ${howToSave}`,
    );
  }
  return text.slice(0, end);
};
