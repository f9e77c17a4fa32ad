import { isPetId, isPetStatus, isQuantity, type PetStatus } from '../../functions/inventory/inventory-item.ts';
import { parseJson } from '../../functions/shared/json.ts';

/** A number as it was written, so that none of its digits is lost. From CSV it may be any text. */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface Entry {
  /** An int64, as the API writes it. */
  petId: string;
  quantity: number;
  status: PetStatus;
}

/** What is wrong in an entry. */
export interface Problem {
  /** A sentence that names the column and its value, and says what was expected. */
  reason: string;
  column?: string;
  value?: string | undefined;
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const expected = {
  petId: 'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros',
  quantity: 'an integer from 0 to 9007199254740991',
  status: 'available, pending or sold',
};

type Column = keyof Entry;

export const columns = Object.keys(expected) as Column[];

/** Read a column by the rules of the API; nothing where it is wrong. */
const readers: Record<Column, (value: unknown) => unknown> = {
  petId: (value) => (value instanceof Numeral && isPetId(value.text) ? value.text : undefined),
  quantity: (value) => {
    const number = value instanceof Numeral && numeral.test(value.text) ? parseJson(value.text) : undefined;
    return isQuantity(number) ? number : undefined;
  },
  status: (value) => (isPetStatus(value) ? value : undefined),
};

/** Reads an entry, or says all that is wrong in it. */
export const checkEntry = (value: unknown): Entry | Problem[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Numeral) {
    return [{ reason: `An entry must be an object with petId, quantity and status, not ${excerpt(value)}.` }];
  }
  const problems: Problem[] = [];
  const entry: Record<string, unknown> = {};
  for (const column of columns) {
    const given = (value as Record<string, unknown>)[column];
    entry[column] = readers[column](given);
    if (entry[column] === undefined) {
      const [not, value] = given === undefined ? ['; it is missing'] : [`, not ${excerpt(given)}`, excerpt(given)];
      problems.push({ reason: `${column} must be ${expected[column]}${not}.`, column, value });
    }
  }
  for (const name of Object.keys(value).filter((name) => !Object.hasOwn(expected, name))) {
    problems.push({ reason: `${excerpt(name)} is not a property of an entry.`, column: name.slice(0, 40) });
  }
  return problems.length > 0 ? problems : (entry as unknown as Entry);
};

/** At most 40 characters of a value, as JSON writes it, a number as it was written; or what it is. */
export const excerpt = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && !(value instanceof Numeral)) {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
  const text = value instanceof Numeral ? value.text : String(value);
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return typeof value === 'string' || (value instanceof Numeral && !numeral.test(text)) ? JSON.stringify(short) : short;
};
