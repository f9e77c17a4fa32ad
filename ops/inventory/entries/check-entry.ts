import {
  isPetId,
  isPetStatus,
  isQuantity,
  type PetStatus,
} from '../../../functions/inventory/item.ts';
import { parseJson } from '../../../functions/shared/json.ts';

/** A number as it was written, so that none of its digits is lost. */
export class Numeral extends String {}

export interface Entry {
  /** An int64, as the API writes it. */
  petId: string;
  quantity: number;
  status: PetStatus;
}

export interface Problem {
  /** A sentence that names the column and its value, and says what was expected. */
  reason: string;
  column?: string;
  value?: string;
}

export const columns = ['petId', 'quantity', 'status'] as const;

const expected = {
  petId:
    'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros',
  quantity: 'an integer from 0 to 9007199254740991',
  status: 'available, pending or sold',
};

/**
 * Whether a text is a number as spreadsheets write it when it has more digits than they show, such
 * as 1.23457E+12, or 1,23457E+12 in German.
 */
export const isRounded = (text: string): boolean => /^-?\d([.,]\d+)?E\+\d\d$/.test(text);

/**
 * Checks a value by the rules of the API. Returns it as an entry, or everything that is wrong with
 * it.
 */
export const checkEntry = (value: unknown): Entry | Problem[] => {
  if (!isObject(value)) {
    const rule = 'An entry must be an object with petId, quantity and status';
    return [{ reason: `${rule}, not ${excerpt(value)}.` }];
  }
  const { petId, quantity, status, ...others } = value;
  const id = petIdIn(petId);
  const number = quantityIn(quantity);
  const problems: Problem[] = [];
  if (id === undefined) {
    problems.push(wrong('petId', petId));
  }
  if (number === undefined) {
    problems.push(wrong('quantity', quantity));
  }
  if (!isPetStatus(status)) {
    problems.push(wrong('status', status));
  }
  problems.push(...Object.keys(others).map(unknownProperty));
  return problems.length > 0 ? problems : ({ petId: id, quantity: number, status } as Entry);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Numeral);

const petIdIn = (value: unknown): string | undefined => {
  const text = value instanceof Numeral ? String(value) : '';
  return isPetId(text) ? text : undefined;
};

const quantityIn = (value: unknown): number | undefined => {
  const number = value instanceof Numeral ? parseJson(String(value)) : undefined;
  return isQuantity(number) ? number : undefined;
};

const wrong = (column: keyof Entry, given: unknown): Problem => {
  const rule = `${column} must be ${expected[column]}`;
  if (given === undefined) {
    return { reason: `${rule}; it is missing.`, column };
  }
  const value = excerpt(given);
  const isText = typeof given === 'string' || given instanceof Numeral;
  const cause =
    isText && isRounded(String(given))
      ? ' A spreadsheet has rounded it: format its column as text, and enter the numbers again.'
      : '';
  return { reason: `${rule}, not ${value}.${cause}`, column, value };
};

const unknownProperty = (name: string): Problem => {
  const reason = `${excerpt(name)} is not a property of an entry.`;
  return { reason, column: name.slice(0, longestExcerpt) };
};

const longestExcerpt = 40;

/**
 * Returns at most 40 characters of a value in JSON, with a number as it was written, or 'an array'
 * or 'an object'.
 */
export const excerpt = (value: unknown): string => {
  if (Array.isArray(value)) {
    return 'an array';
  }
  if (isObject(value)) {
    return 'an object';
  }
  const text = String(value);
  const short = text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
  return typeof value === 'string' ? JSON.stringify(short) : short;
};
