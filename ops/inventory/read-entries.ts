import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Tokenizer from '@streamparser/json/tokenizer.js';
import TokenParser from '@streamparser/json/tokenparser.js';
import { CsvError, parse } from 'csv-parse';
import { CliError } from '../cli/cli-error.ts';
import { checkEntry, columns, type Entry, excerpt, Numeral, type Problem } from './check-entry.ts';

export const formats = ['csv', 'json', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/**
 * Called for each line or array element, with its number, counted from 1, and its entry or what is
 * wrong with it.
 */
type OnEntry = (place: number, entry: Entry | Problem[]) => void;

type Chunks = AsyncIterable<Buffer>;

const invalid = (message: string): CliError => new CliError('invalid', message);

/**
 * The most bytes to hold in memory for one entry, far more than any entry has. Longer input is
 * rejected.
 */
const longestEntry = 100_000;

/**
 * Passes chunks on. Throws if their reader does not reach the next line or element within
 * `longestEntry` bytes.
 */
async function* limitEntrySize(chunks: Chunks, unit: string, place: () => number): Chunks {
  let [last, length] = [0, 0];
  for await (const chunk of chunks) {
    yield chunk;
    length = place() === last ? length + chunk.length : 0;
    last = place();
    if (length > longestEntry) {
      throw invalid(`${unit} ${last}: this is too long to be an entry.`);
    }
  }
}

const checkHeader = (names: string[]): string[] => {
  if (names.toSorted().join() !== columns.join()) {
    const found = names.join();
    const separator = found.includes(';')
      ? 'semicolons'
      : found.includes('\t')
        ? 'tabs'
        : undefined;
    const not = separator
      ? `separated by commas, not by ${separator}`
      : `not ${JSON.stringify(found.slice(0, 40))}`;
    throw invalid(`Line 1: a CSV file must begin with the columns ${columns.join()}, ${not}.`);
  }
  return names;
};

const readCsv = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  let last = 1;
  const rows = parse({
    bom: true,
    columns: checkHeader,
    max_record_size: longestEntry,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // The parser's `cast`, or reading rows from it as a stream, would take twice the time.
    on_record: (row, { lines, error }) => {
      last = lines;
      const cells = error?.record as string[] | undefined;
      onEntry(lines, cells ? [wrongCells(cells)] : checkRow(row as never));
      return null;
    },
  });
  const source = limitEntrySize(chunks, 'Line', () => rows.info.lines);
  await pipeline(source, rows.resume()).catch((error) => {
    const reason = 'a quote is not closed or is inside a cell, or this is too long to be an entry';
    throw error instanceof CsvError ? invalid(`After line ${last}: ${reason}.`) : error;
  });
};

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const numberIn = (cell: string) => (numeral.test(cell) ? new Numeral(cell) : cell || undefined);

const wrongCells = (cells: string[]): Problem => {
  const value = excerpt(cells.join());
  return { reason: `There must be ${columns.length} cells, not ${cells.length}: ${value}.`, value };
};

/** Checks a row of CSV. An empty cell is a missing value. */
const checkRow = ({
  petId = '',
  quantity = '',
  status,
}: Record<string, string>): Entry | Problem[] =>
  checkEntry({ petId: numberIn(petId), quantity: numberIn(quantity), status: status || undefined });

const readJson = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  let element = 1;
  const tokenizer = new Tokenizer();
  // The tokenizer's own parseNumber rounds numbers that a double cannot hold.
  Object.assign(tokenizer, { parseNumber: (text: string) => new Numeral(text) });
  const parser = new TokenParser({ paths: ['$.*'], keepStack: false });
  tokenizer.onToken = (token) => parser.write(token);
  parser.onEnd = () => tokenizer.end();
  parser.onValue = ({ value }) => {
    onEntry(element, checkEntry(value));
    element += 1;
  };
  for await (const chunk of limitEntrySize(chunks, 'Element', () => element)) {
    try {
      tokenizer.write(chunk);
    } catch (cause) {
      throw new CliError('invalid', `Element ${element}: this is not valid JSON.`, { cause });
    }
  }
  if (!parser.isEnded) {
    throw invalid(`The JSON array does not end: element ${element - 1} is the last complete one.`);
  }
};

/**
 * Splits lines itself: `node:readline` also splits at other characters, and accepts a line of any
 * length.
 */
const readNdjson = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 1;
  const take = (text: string) => {
    if (text.trim() !== '') {
      onEntry(line, checkLine(text));
    }
    line += 1;
  };
  for await (const chunk of limitEntrySize(chunks, 'Line', () => line)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  }
  take(rest + decoder.decode());
};

const exactNumbers = (_key: string, value: unknown, { source = '' }: { source?: string }) =>
  typeof value === 'number' ? new Numeral(source) : value;

const checkLine = (text: string): Entry | Problem[] => {
  try {
    return checkEntry(JSON.parse(text, exactNumbers));
  } catch {
    return [{ reason: `This is not valid JSON: ${excerpt(text)}.`, value: excerpt(text) }];
  }
};

const readers = { csv: readCsv, json: readJson, ndjson: readNdjson };

export type Source = Awaited<ReturnType<typeof openSource>>;

/**
 * Begins to read a file. Without a given format, the first character of the file decides which
 * format it has.
 * @throws CliError if the file is empty, unless its format is given as NDJSON; `read` throws one
 * where it cannot go on
 */
export const openSource = async (bytes: Chunks, given?: Format) => {
  const chunks = Readable.from(bytes);
  let start = Buffer.alloc(0);
  let text = '';
  for await (const chunk of chunks.iterator({ destroyOnReturn: false })) {
    start = Buffer.concat([start, chunk]);
    // UTF-16 begins with two bytes that UTF-8 never has, and then, in one byte order, a NUL.
    text = new TextDecoder().decode(start, { stream: true }).replace(/^\ufffd{0,2}\0?\s*/, '');
    if (text !== '' || start.length > longestEntry) {
      chunks.unshift(start);
      break;
    }
  }
  if (text === '' && start.length > longestEntry) {
    throw invalid('The file begins with too much white space.');
  }
  if (text === '' && given !== 'ndjson') {
    throw new CliError('invalid', 'The file is empty.', {
      hint: 'To accept an empty file: --format ndjson',
    });
  }
  const format = given ?? ({ '[': 'json', '{': 'ndjson' } as const)[text.charAt(0)] ?? 'csv';
  if (format !== 'csv' && (start[0] ?? 0) >= 0xfe) {
    throw invalid('JSON must be UTF-8, not UTF-16.');
  }
  if (format === 'json' && !text.startsWith('[')) {
    throw invalid('A JSON file must be one array of entries.');
  }
  return {
    unit: format === 'json' ? 'element' : 'line',
    read: (onEntry: OnEntry) => readers[format](chunks, onEntry),
  };
};
