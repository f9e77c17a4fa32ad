import { visible } from '../../functions/shared/visible.ts';
import { CliError } from '../cli/errors.ts';
import { columns, type Entry, excerpt, type Problem } from './check-entry.ts';

/**
 * Reads a JSON array of entries. Of a member that an object has twice, the last counts, as for the
 * API.
 */
export const readJson = (text: string, take: (entry: Entry) => void): void => {
  for (const [index, value] of parseArray(text).entries()) {
    take({ number: index + 1, ...entryOf(value) });
  }
};

/** Parses a JSON array. Numbers become their texts. */
const parseArray = (text: string): unknown[] => {
  try {
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' ? source : value,
    ) as unknown[];
  } catch (cause) {
    const message = visible((cause as Error).message);
    throw new CliError(`The file is not a valid JSON array: ${message}`, { cause });
  }
};

const entryOf = (value: unknown): Omit<Entry, 'number'> => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const text = `it must be an object with petId, quantity and status, not ${excerpt(value)}.`;
    return { problems: [{ column: 'whole entries', text }] };
  }
  const others = Object.keys(value).filter(
    (name) => !(columns as readonly string[]).includes(name),
  );
  const problems = others.map((name): Problem => {
    return { column: 'other properties', text: `there is no property ${excerpt(name)}.` };
  });
  return { values: value, problems };
};
