import {
  isPetId,
  isPetStatus,
  isQuantity,
  type PetStatus,
} from '../../functions/inventory/item.ts';
import { parseJson } from '../../functions/shared/json.ts';

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

const wrong = (column: keyof Entry, given: unknown): Problem =>
  given === undefined
    ? { reason: `${column} must be ${expected[column]}; it is missing.`, column }
    : {
        reason: `${column} must be ${expected[column]}, not ${excerpt(given)}.`,
        column,
        value: excerpt(given),
      };

/**
 * Checks a value by the rules of the API. Returns it as an entry, or everything that is wrong with
 * it.
 */
export const checkEntry = (value: unknown): Entry | Problem[] => {
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    value instanceof Numeral
  ) {
    return [
      {
        reason: `An entry must be an object with petId, quantity and status, not ${excerpt(value)}.`,
      },
    ];
  }
  const { petId, quantity, status, ...others } = value as Record<string, unknown>;
  const id = petId instanceof Numeral ? String(petId) : '';
  const number = quantity instanceof Numeral ? parseJson(String(quantity)) : undefined;
  const problems = [
    isPetId(id) || wrong('petId', petId),
    isQuantity(number) || wrong('quantity', quantity),
    isPetStatus(status) || wrong('status', status),
    ...Object.keys(others).map((name) => ({
      reason: `${excerpt(name)} is not a property of an entry.`,
      column: name.slice(0, 40),
    })),
  ].filter((problem) => problem !== true);
  return problems.length > 0 ? problems : ({ petId: id, quantity: number, status } as Entry);
};

/**
 * Returns at most 40 characters of a value in JSON, with a number as it was written, or 'an array'
 * or 'an object'.
 */
export const excerpt = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && !(value instanceof Numeral)) {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
  const text = String(value);
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return typeof value === 'string' ? JSON.stringify(short) : short;
};
