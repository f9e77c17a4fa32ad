import { CliError } from '../cli/errors.ts';
import type { Entry } from './check-entry.ts';

/**
 * Reads entries of JSON: an array, or objects in a row. Of a member that an object has twice, the
 * last counts, as for the API.
 * @throws CliError if the text is neither
 */
export const readJson = (text: string, take: (entry: Entry) => void): void => {
  if (isDynamodbJson(text)) {
    throw new CliError(
      "The file is in DynamoDB's own JSON. inventory export prints what an import takes; for " +
        'another table, use this command:\n' +
        "aws dynamodb scan --table-name TABLE --output json --query 'Items[].{petId: petId.N, " +
        "quantity: quantity.N, status: status.S}'",
    );
  }
  const values = /^\s*\{/.test(text) ? parseObjects(text) : parseArray(text);
  for (const [index, value] of values.entries()) {
    const isObject = typeof value === 'object' && value !== null;
    take({ number: index + 1, values: isObject ? { ...value } : {} });
  }
};

/** Whether a number of an entry has its type round it, as in {"petId":{"N":"7"}}. */
const isDynamodbJson = (text: string): boolean =>
  /"(petId|quantity)"\s*:\s*\{\s*"[NS]"\s*:/.test(text);

const parseArray = (text: string): unknown[] => parse(text, 'The file is not a valid JSON array');

/** Parses objects in a row, such as an object on each line. */
const parseObjects = (text: string): unknown[] => {
  const objects = partsOf(text).map((part, index) =>
    parse(part, `Entry ${index + 1} is not valid JSON`),
  );
  const [only] = objects;
  if (objects.length === 1 && !Object.hasOwn(only as object, 'petId')) {
    throw new CliError(
      'The file is a JSON object, but an import takes entries, such as ' +
        '{"petId":1,"quantity":7,"status":"sold"}: in an array, or one after another.',
    );
  }
  return objects;
};

/** Where an object ends and the next one begins; or a string, which could hold the same. */
const seam = /"[^"\\]*(?:\\.[^"\\]*)*"|\}\s*(?=\{)/gs;

/** Returns each object of a row. */
const partsOf = (text: string): string[] => {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(seam)) {
    if (found.startsWith('}')) {
      parts.push(text.slice(start, index + 1));
      start = index + found.length;
    }
  }
  return [...parts, text.slice(start)];
};

/**
 * Parses JSON. Numbers become their texts.
 * @throws CliError that begins with what is wrong
 */
const parse = <Value>(text: string, problem: string): Value => {
  try {
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' ? source : value,
    ) as Value;
  } catch (cause) {
    // V8 says where: by line and column, by the text round it, or that it is at the end.
    throw new CliError(`${problem}: ${(cause as Error).message}`, { cause });
  }
};
