import { CliError } from '../cli/errors.ts';
import type { Entry } from './check-entry.ts';

/**
 * Reads a JSON array of entries. Of a member that an object has twice, the last counts, as for the
 * API.
 */
export const readJson = (text: string, take: (entry: Entry) => void): void => {
  if (/^\s*\{/.test(text)) {
    throw new CliError(
      'The file is a JSON object, but an import takes an array of entries, as the API prints it; ' +
        'jq -s . FILE makes an array of objects in a row (jq before 1.7 rounds petIds).',
    );
  }
  for (const [index, value] of parseArray(text).entries()) {
    const isObject = typeof value === 'object' && value !== null;
    take({ number: index + 1, values: isObject ? { ...value } : {} });
  }
};

/** Parses a JSON array. Numbers become their texts. */
const parseArray = (text: string): unknown[] => {
  try {
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' ? source : value,
    ) as unknown[];
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(`The file is not a valid JSON array: ${message}`, { cause });
  }
};
