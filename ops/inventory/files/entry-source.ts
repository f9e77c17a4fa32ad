import { CliError } from '../../cli/cli-error.ts';
import { separatorIn } from './csv-header.ts';
import { namedKind } from './file-kind.ts';
import type { Format } from './formats.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readNdjson } from './read-ndjson.ts';
import { readStart } from './read-start.ts';
import { type Chunks, invalid, longestEntry, type OnEntry } from './reader.ts';
import { toUtf8 } from './utf8.ts';

/** A file of entries. */
export interface EntrySource {
  /** What an entry's position counts. */
  unit: 'line' | 'element';
  /** Reads and checks every entry. Throws a CliError where it cannot go on. */
  read(onEntry: OnEntry): Promise<void>;
}

/**
 * Begins to read a file. Without a given format, the first character of the file decides which
 * format it has.
 * @throws CliError if the file is empty, unless its format is given as NDJSON, or if it is no text
 */
export const openSource = async (bytes: Chunks, given?: Format): Promise<EntrySource> => {
  const { start, chunks } = await readStart(toUtf8(bytes), longestEntry);
  const kind = namedKind(start);
  if (kind !== undefined) {
    throw invalid(kind);
  }
  const text = start.toString().trimStart();
  if (text === '') {
    assertMayBeEmpty(start, given);
  }
  switch (given ?? formatOfText(text)) {
    case 'csv':
      return csvSource(chunks, text);
    case 'json':
      return jsonSource(chunks, text);
    case 'ndjson':
      return { unit: 'line', read: (onEntry) => readNdjson(chunks, onEntry) };
  }
};

const assertMayBeEmpty = (start: Buffer, given?: Format): void => {
  if (start.length >= longestEntry) {
    throw invalid('The file begins with too much white space.');
  }
  if (given !== 'ndjson') {
    const hint = 'To accept an empty file: --format ndjson';
    throw new CliError('invalid', 'The file is empty.', { hint });
  }
};

const formatOfText = (text: string): Format => {
  switch (text[0]) {
    case '[':
      return 'json';
    case '{':
      return 'ndjson';
    default:
      return 'csv';
  }
};

const csvSource = (chunks: Chunks, text: string): EntrySource => {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const separator = separatorIn(firstLine);
  return { unit: 'line', read: (onEntry) => readCsv(chunks, onEntry, separator) };
};

const jsonSource = (chunks: Chunks, text: string): EntrySource => {
  if (!text.startsWith('[')) {
    throw invalid('A JSON file must be one array of entries.');
  }
  return { unit: 'element', read: (onEntry) => readJson(chunks, onEntry) };
};
