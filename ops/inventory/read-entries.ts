import { pipeline } from 'node:stream/promises';
import Tokenizer from '@streamparser/json/tokenizer.js';
import TokenParser from '@streamparser/json/tokenparser.js';
import { CsvError, parse } from 'csv-parse';
import { CliError } from '../cli/cli-error.ts';
import { Numeral, Wrong } from './check-entry.ts';

export const formats = ['csv', 'json', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/**
 * Called with each entry of a file: its line, or its number in a JSON array, counted from 1, and its properties, numbers
 * as Numeral; or Wrong, or whatever else stands in its place.
 */
export type OnEntry = (place: number, value: unknown) => void;

type Chunks = AsyncIterable<Buffer>;

/** More bytes than any entry has: what is longer is not to be held in memory. */
const longestEntry = 100_000;

const tooLong = (place: string) => new CliError('invalid', `${place}: this is too long to be an entry.`);

/** Passes chunks on until a line is too long. */
async function* withShortLines(chunks: Chunks): Chunks {
  let line = 1;
  let length = 0;
  for await (const chunk of chunks) {
    const end = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r'));
    length = end < 0 ? length + chunk.length : chunk.length - end - 1;
    for (let i = chunk.indexOf(10); i >= 0; i = chunk.indexOf(10, i + 1)) {
      line += 1;
    }
    if (length > longestEntry) {
      throw tooLong(`Line ${line}`);
    }
    yield chunk;
  }
}

const columns = ['petId', 'quantity', 'status'];

const checkedHeader = (names: string[]): string[] => {
  const separator = names.length === 1 && /[;\t]/.exec(names[0] ?? '')?.[0];
  if (separator) {
    const found = separator === ';' ? 'semicolons' : 'tabs';
    throw new CliError('invalid', `Line 1: this CSV is separated by ${found}; it must be by commas.`);
  }
  if (names.toSorted().join() !== columns.join()) {
    const found = JSON.stringify(names.join().slice(0, 40));
    throw new CliError('invalid', `Line 1: a CSV file must begin with the columns ${columns.join()}, not ${found}.`);
  }
  return names;
};

const readCsv = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  let last = 1;
  const rows = parse({
    bom: true,
    columns: checkedHeader,
    max_record_size: longestEntry,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // Its `cast`, or a stream of rows, would take twice the time.
    on_record: (row, { lines, error }) => {
      last = lines;
      onEntry(lines, error ? wrongLength(error.record as string[]) : entryOf(row as unknown as Record<string, string>));
      return null;
    },
  });
  await pipeline(chunks, withShortLines, rows.resume()).catch((error) => {
    const reason = 'a quote is not closed or is inside a cell, or this is too long to be an entry';
    throw error instanceof CsvError ? new CliError('invalid', `After line ${last}: ${reason}.`) : error;
  });
};

const wrongLength = (cells: string[]): Wrong =>
  new Wrong(`There must be ${columns.length} cells, not ${cells.length}.`, undefined, cells.join());

/** An empty cell is a missing value. */
const entryOf = ({ petId, quantity, status }: Record<string, string>) => ({
  petId: petId ? new Numeral(petId) : undefined,
  quantity: quantity ? new Numeral(quantity) : undefined,
  status: status || undefined,
});

/** The library rounds numbers that a double cannot hold. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    return new Numeral(text) as unknown as number;
  }
}

const readJson = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  const tokenizer = new ExactTokenizer();
  const parser = new TokenParser({ paths: ['$.*'], keepStack: false });
  const values: unknown[] = [];
  tokenizer.onToken = (token) => parser.write(token);
  parser.onEnd = () => tokenizer.end();
  parser.onValue = ({ value }) => values.push(value);
  let elements = 0;
  let length = 0;
  for await (const chunk of chunks) {
    try {
      tokenizer.write(chunk);
    } catch {
      throw new CliError('invalid', `Element ${elements + values.length + 1}: this is not valid JSON.`);
    }
    length = values.length > 0 ? 0 : length + chunk.length;
    if (length > longestEntry) {
      throw tooLong(`Element ${elements + 1}`);
    }
    for (const value of values.splice(0)) {
      elements += 1;
      onEntry(elements, value);
    }
  }
  if (!parser.isEnded) {
    throw new CliError('invalid', `The JSON array does not end: element ${elements} is the last complete one.`);
  }
};

/** Not by `node:readline`, which splits at other characters too, and takes a line of any length. */
const readNdjson = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  const take = (text: string) => {
    line += 1;
    if (text.trim() !== '') {
      onEntry(line, parseLine(text));
    }
  };
  for await (const chunk of withShortLines(chunks)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  }
  take(rest + decoder.decode());
};

const parseLine = (text: string): unknown => {
  try {
    return JSON.parse(text, (_key, value, { source = '' }) =>
      typeof value === 'number' ? new Numeral(source) : value,
    );
  } catch {
    return new Wrong('This is not valid JSON.', undefined, text);
  }
};

const readers = { csv: readCsv, json: readJson, ndjson: readNdjson };

export interface Source {
  /** What a place is. */
  unit: 'line' | 'element';
  /** @throws CliError where the file cannot be read any further */
  read(onEntry: OnEntry): Promise<void>;
}

/**
 * Begins to read a file. Without a format, its first character tells which it has.
 * @throws CliError if it is empty, unless it is to be NDJSON
 */
export const openSource = async (bytes: Chunks, given?: Format): Promise<Source> => {
  const rest = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let first = '';
  // Four bytes hold a byte order mark, which is no character.
  while ((start.length < 4 || first === '') && start.length <= longestEntry) {
    const { value, done } = await rest.next();
    if (done) {
      break;
    }
    start = Buffer.concat([start, value]);
    first = new TextDecoder().decode(start).trimStart().slice(0, 1);
  }
  if (first === '' && given !== 'ndjson') {
    throw new CliError('invalid', 'The file is empty.', { hint: 'To import it as no entries: --format ndjson' });
  }
  const format = given ?? ({ '[': 'json', '{': 'ndjson' } as const)[first] ?? 'csv';
  if (format === 'json' && first !== '[') {
    throw new CliError('invalid', 'A JSON file must be one array of entries.');
  }
  const chunks = async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => rest };
  };
  return { unit: format === 'json' ? 'element' : 'line', read: (onEntry) => readers[format](chunks(), onEntry) };
};
