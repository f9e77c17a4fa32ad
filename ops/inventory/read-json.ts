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
    const place = /is not valid JSON$|end of JSON input$/.test(message) ? placeOfFault(text) : '';
    throw new CliError(`The file is not a valid JSON array: ${message}${place}`, { cause });
  }
};

/** Returns where JSON breaks off or has a wrong character; of other faults, V8 says it itself. */
const placeOfFault = (text: string): string => {
  // The first `sound` characters have no fault, and the first `faulty` have one. They meet at it.
  let [sound, faulty] = [0, text.length + 1];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (isSound(text.slice(0, middle))) {
      sound = middle;
    } else {
      faulty = middle;
    }
  }
  const lines = text.slice(0, sound).split(/\r\n|\r|\n/);
  return ` (line ${lines.length} column ${(lines.at(-1)?.length ?? 0) + 1})`;
};

/** Whether nothing is wrong with the beginning of a JSON text except that it breaks off. */
const isSound = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return !(error as Error).message.endsWith('is not valid JSON');
  }
};
