import { CliError } from '../cli/cli-error.ts';
import { readCsv } from './read-csv.ts';
import { readJson, readNdjson } from './read-json.ts';
import { longestEntry, type OnEntry, type Reader } from './source.ts';

export const formats = ['csv', 'json', 'ndjson'] as const;
export type Format = (typeof formats)[number];

export interface Source {
  /** What a place is. */
  unit: 'line' | 'element';
  read(onEntry: OnEntry): Promise<void>;
}

const readers: Record<Format, Reader> = { csv: readCsv, json: readJson, ndjson: readNdjson };

/**
 * Begins to read a file. Without a format, its first character tells which it has.
 * @throws CliError if it is empty, which only NDJSON may be, or no array though it is to be JSON
 */
export const openSource = async (bytes: AsyncIterable<Buffer>, given?: Format): Promise<Source> => {
  const rest = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let first: string | undefined;
  // Longer than a byte order mark, so that it is cut off whole.
  while (start.length < 4 || first === undefined) {
    const { value, done } = await rest.next();
    if (done) {
      break;
    }
    start = Buffer.concat([start, value]);
    first = new TextDecoder().decode(start).trimStart()[0];
    if (first === undefined && start.length > longestEntry) {
      throw new CliError('invalid', 'The file begins with nothing but blanks.');
    }
  }
  if (first === undefined && given !== 'ndjson') {
    throw new CliError('invalid', 'The file is empty.', { hint: 'If it is to be, as NDJSON: --format ndjson' });
  }
  if (given === 'json' && first !== '[') {
    throw new CliError('invalid', 'A JSON file must be an array: [{"petId":…},…].');
  }
  const format = given ?? (first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv');
  const chunks = async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => rest };
  };
  return { unit: format === 'json' ? 'element' : 'line', read: (onEntry) => readers[format](chunks(), onEntry) };
};
