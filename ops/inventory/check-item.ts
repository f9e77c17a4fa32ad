import {
  type InventoryItem,
  isPetId,
  isPetStatus,
  isQuantity,
} from '../../functions/inventory/item.ts';
import { parseJson } from '../../functions/shared/json.ts';

/** A number as it was written, so that none of its digits is lost. */
export class Numeral extends String {}

export interface Problem {
  /** A sentence that names the column and its value, and says what was expected. */
  reason: string;
  column?: string;
  value?: string;
}

/** Where an entry is in a file: its line, or its number in a JSON array, counted from 1. */
export type Place = { line: number } | { element: number };

/** An entry of a file: an item, or what is wrong with it. */
export interface ParsedItem {
  place: Place;
  result: InventoryItem | Problem[];
}

export const columns = ['petId', 'quantity', 'status'] as const;

const expected = {
  petId:
    'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros',
  quantity: 'an integer from 0 to 9007199254740991',
  status: 'available, pending or sold',
};

/** Checks a value by the rules of the API. Returns it as an item, or all that is wrong with it. */
export const checkItem = (value: unknown): InventoryItem | Problem[] => {
  if (!isObject(value)) {
    const rule = 'An entry must be an object with petId, quantity and status';
    return [{ reason: `${rule}, not ${excerpt(value)}.` }];
  }
  const { petId, quantity, status, ...others } = value;
  const id = petIdIn(petId);
  const number = quantityIn(quantity);
  const isKnown = isPetStatus(status);
  const problems = Object.keys(others).map(unknownProperty);
  if (id !== undefined && number !== undefined && isKnown && problems.length === 0) {
    return { petId: id, quantity: number, status };
  }
  if (!isKnown) {
    problems.unshift(wrong('status', status));
  }
  if (number === undefined) {
    problems.unshift(wrong('quantity', quantity));
  }
  if (id === undefined) {
    problems.unshift(wrong('petId', petId));
  }
  return problems;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Numeral);

const petIdIn = (value: unknown): bigint | undefined => {
  const text = value instanceof Numeral ? String(value) : '';
  return isPetId(text) ? BigInt(text) : undefined;
};

const quantityIn = (value: unknown): number | undefined => {
  const number = value instanceof Numeral ? parseJson(String(value)) : undefined;
  return isQuantity(number) ? number : undefined;
};

/** A number as spreadsheets write it if it has more digits than they show; German has a comma. */
const rounded = /^-?\d([.,]\d+)?E\+\d+$/;

const wrong = (column: keyof InventoryItem, given: unknown): Problem => {
  const rule = `${column} must be ${expected[column]}`;
  if (given === undefined) {
    return { reason: `${rule}; it is missing.`, column };
  }
  const value = excerpt(given);
  const isText = typeof given === 'string' || given instanceof Numeral;
  const cause =
    isText && rounded.test(String(given))
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
