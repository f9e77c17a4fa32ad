import { type InventoryItem, isPetId, isPetStatus, isQuantity } from '../../functions/inventory/inventory-item.ts';
import { Numeral } from './numeral.ts';

/** What is wrong in an entry. */
export interface Wrong {
  /** Missing if it is about the whole entry. */
  column?: string;
  /** At most 40 characters of what stands there. */
  value?: string;
  /** A sentence that names both, and what was expected. */
  reason: string;
}

/** Stands for an entry of which nothing can be read. */
export class Unreadable {
  readonly wrong: Wrong;

  constructor(text: string, reason: string) {
    this.wrong = { value: truncate(text), reason };
  }
}

type Column = keyof InventoryItem;

const expected: Record<Column, string> = {
  petId: 'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros',
  quantity: 'an integer from 0 to 9007199254740991',
  status: 'available, pending or sold',
};

/** Read a column by the rules of the API; nothing where it is wrong. */
const readers: Record<Column, (value: unknown) => unknown> = {
  petId: (value) => (value instanceof Numeral && isPetId(value.text) ? BigInt(value.text) : undefined),
  quantity: (value) => {
    const quantity = value instanceof Numeral ? value.toNumber() : undefined;
    return isQuantity(quantity) ? quantity : undefined;
  },
  status: (value) => (isPetStatus(value) ? value : undefined),
};

/** Reads an entry, or says all that is wrong in it. */
export const checkEntry = (value: unknown): InventoryItem | Wrong[] => {
  if (value instanceof Unreadable) {
    return [value.wrong];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Numeral) {
    const reason = `An entry must be an object with petId, quantity and status, not ${quoted(value)}.`;
    return [{ value: truncate(textOf(value)), reason }];
  }
  const wrong: Wrong[] = [];
  for (const column of Object.keys(value)) {
    if (!Object.hasOwn(readers, column)) {
      wrong.push({ column: truncate(column), reason: `${quoted(column)} is no property of an entry.` });
    }
  }
  const read = (column: Column): unknown => {
    const given = Object.hasOwn(value, column) ? (value as Record<string, unknown>)[column] : undefined;
    const result = readers[column](given);
    if (result === undefined) {
      wrong.push(wrongValue(column, given));
    }
    return result;
  };
  const item = { petId: read('petId'), quantity: read('quantity'), status: read('status') };
  return wrong.length > 0 ? wrong : (item as InventoryItem);
};

const wrongValue = (column: Column, value: unknown): Wrong => {
  if (value === undefined) {
    return { column, reason: `${column} is missing: it must be ${expected[column]}.` };
  }
  const kind = typeof value === 'string' && column !== 'status' ? 'the string ' : '';
  const reason = `${column} must be ${expected[column]}, not ${kind}${quoted(value)}.`;
  return { column, value: truncate(textOf(value)), reason };
};

const textOf = (value: unknown): string => {
  if (value instanceof Numeral) {
    return value.text;
  }
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
  return String(value);
};

const quoted = (value: unknown): string => {
  const text = truncate(textOf(value));
  return value instanceof Numeral || typeof value === 'string' ? JSON.stringify(text) : text;
};

export const truncate = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
