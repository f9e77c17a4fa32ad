import { readCsv } from './read-csv.ts';
import { readJsonArray, readNdjson } from './read-json.ts';
import type { SourceLine } from './source-line.ts';

const readers = { csv: readCsv, json: readJsonArray, ndjson: readNdjson };

export const formats = ['csv', 'json', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** Reads the entries of a file, one after the other. Without a format, its first character tells which it has. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, format?: Format): AsyncGenerator<SourceLine> {
  const chunks = decode(bytes);
  let start = '';
  while (!/\S/.test(start)) {
    const { value, done } = await chunks.next();
    if (done) {
      break;
    }
    start += value;
  }
  const all = async function* () {
    yield start;
    yield* chunks;
  };
  yield* readers[format ?? formatOf(start.trimStart())](all());
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

const formatOf = (start: string): Format => {
  if (start.startsWith('[')) {
    return 'json';
  }
  // A file without any character is an empty list; CSV would at least name its columns.
  return start.startsWith('{') || start === '' ? 'ndjson' : 'csv';
};
