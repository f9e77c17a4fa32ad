import type { InventoryItem } from '../../functions/inventory/item.ts';
import { CliError } from '../cli/cli-error.ts';
import { checkItem, excerpt, Numeral, type ParsedItem, type Problem } from './check-item.ts';
import { parseCsv } from './parse-csv.ts';

const formats = 'CSV, a JSON array or NDJSON, in UTF-8';

/**
 * Yields every entry of a file. Its first character tells whether it is CSV, a JSON array or
 * NDJSON.
 * @param name what errors call the file
 * @throws CliError, before or between entries, if it is none of these
 */
export function* parseItems(bytes: Uint8Array, name: string): Generator<ParsedItem> {
  const text = decode(bytes, name);
  try {
    yield* parserOf(text.trimStart())(text);
  } catch (error) {
    const reason = (error as Error).message.slice(0, 300);
    throw new CliError('invalid', `Cannot read ${name}: ${reason.replace(/\.?$/, '.')}`, {
      hint: `It must be ${formats}.`,
      cause: error,
    });
  }
}

/** Decodes a text. A byte order mark, which Excel writes, is no part of it. */
const decode = (bytes: Uint8Array, name: string): string => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const start = Buffer.from(bytes.subarray(0, 4)).toString('hex').replace(/..\B/g, '$& ');
    const message = `${name} is not text in UTF-8: it begins with the bytes ${start}.`;
    throw new CliError('invalid', message, { hint: `It must be ${formats}.`, cause });
  }
  if (text.trim() === '') {
    throw new CliError('invalid', `${name} is empty.`);
  }
  return text;
};

const parserOf = (text: string): ((text: string) => Iterable<ParsedItem>) => {
  switch (text[0]) {
    case '[':
      return parseArray;
    case '{':
      return parseNdjson;
    default:
      return parseCsv;
  }
};

const parseExactly = (json: string): unknown =>
  JSON.parse(json, (_key, value, { source = '' }) =>
    typeof value === 'number' ? new Numeral(source) : value,
  );

function* parseArray(text: string): Generator<ParsedItem> {
  for (const [index, value] of (parseExactly(text) as unknown[]).entries()) {
    yield { place: { element: index + 1 }, result: checkItem(value) };
  }
}

function* parseNdjson(text: string): Generator<ParsedItem> {
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') {
      yield { place: { line: index + 1 }, result: checkLine(line) };
    }
  }
}

const checkLine = (line: string): InventoryItem | Problem[] => {
  let value: unknown;
  try {
    value = parseExactly(line);
  } catch {
    const given = excerpt(line);
    return [{ reason: `This is not valid JSON: ${given}.`, value: given }];
  }
  return checkItem(value);
};
