import { type InventoryItem, isPetId, isPetStatus, isQuantity } from '../../functions/inventory/inventory-item.ts';
import { parseJson } from '../../functions/shared/json.ts';

/** A number as it was written, so that none of its digits is lost. From CSV it may be any text. */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What is wrong in an entry, or stands for one of which nothing can be read. */
export class Wrong {
  /** A sentence that names the column and its value, and says what was expected. */
  readonly reason: string;
  readonly column: string | undefined;
  readonly value: string | undefined;

  constructor(reason: string, column?: string, value?: unknown) {
    this.reason = reason;
    this.column = column;
    this.value = value === undefined ? undefined : excerpt(value);
  }
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

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
    const number = value instanceof Numeral && numeral.test(value.text) ? parseJson(value.text) : undefined;
    return isQuantity(number) ? number : undefined;
  },
  status: (value) => (isPetStatus(value) ? value : undefined),
};

/** Reads an entry, or says all that is wrong in it. */
export const checkEntry = (value: unknown): InventoryItem | Wrong[] => {
  if (value instanceof Wrong) {
    return [value];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Numeral) {
    return [new Wrong(`An entry must be an object with petId, quantity and status, not ${excerpt(value)}.`)];
  }
  const wrong: Wrong[] = [];
  let columns = 0;
  const read = (column: Column): unknown => {
    const isGiven = Object.hasOwn(value, column);
    columns += isGiven ? 1 : 0;
    const given = isGiven ? (value as Record<string, unknown>)[column] : undefined;
    const result = readers[column](given);
    if (result === undefined) {
      const not = given === undefined ? 'it is missing' : `not ${excerpt(given)}`;
      wrong.push(new Wrong(`${column} must be ${expected[column]}, ${not}.`, column, given));
    }
    return result;
  };
  const item = { petId: read('petId'), quantity: read('quantity'), status: read('status') };
  const names = Object.keys(value);
  if (names.length > columns) {
    const others = names.filter((name) => !Object.hasOwn(readers, name));
    wrong.push(
      ...others.map((name) => new Wrong(`${excerpt(name)} is not a property of an entry.`, name.slice(0, 40))),
    );
  }
  return wrong.length > 0 ? wrong : (item as InventoryItem);
};

/** At most 40 characters of a value, as JSON writes it, a number as it was written; or what it is. */
const excerpt = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && !(value instanceof Numeral)) {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
  const text = value instanceof Numeral ? value.text : String(value);
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return typeof value === 'string' || (value instanceof Numeral && !numeral.test(text)) ? JSON.stringify(short) : short;
};
