import {
  type InventoryItem,
  isPetId,
  isPetStatus,
  isQuantity,
} from '../../functions/inventory/item.ts';
import { visible } from '../../functions/shared/visible.ts';
import { hintFor } from './spreadsheet.ts';

export const columns = ['petId', 'quantity', 'status'] as const;
export type Column = (typeof columns)[number];

/** What is wrong with an entry, as a sentence, and with which of its columns. */
export interface Problem {
  column: string;
  text: string;
}

/** An entry of a file. */
export interface Entry {
  /** Its line, or its place in a JSON array; both begin with 1. */
  number: number;
  /** Numbers are their texts, so that no digit is lost. None if it is no entry at all. */
  values?: Partial<Record<Column, unknown>>;
  /** What is wrong beside these values. */
  problems: Problem[];
}

const rules: Record<Column, string> = {
  petId: 'petId must be an int64 in digits without leading zeros',
  quantity:
    'quantity must be an integer from 0 to 9007199254740991, in digits without leading zeros',
  status: 'status must be available, pending or sold',
};

/**
 * Checks the values of an entry, where numbers are their texts, so that no digit is lost. Returns
 * the entry as an item, or all that is wrong with it.
 */
export const checkEntry = (values: Partial<Record<Column, unknown>>): InventoryItem | Problem[] => {
  const { petId, quantity, status } = values;
  const isValid: Record<Column, boolean> = {
    petId: typeof petId === 'string' && isPetId(petId),
    quantity: isQuantityText(quantity),
    status: isPetStatus(status),
  };
  const wrong = columns.filter((column) => !isValid[column]);
  return wrong.length > 0
    ? wrong.map((column) => ({ column, text: problemOf(column, values[column]) }))
    : {
        petId: BigInt(petId as string),
        quantity: Number(quantity),
        status: status as InventoryItem['status'],
      };
};

const isQuantityText = (value: unknown): boolean =>
  typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) && isQuantity(Number(value));

const problemOf = (column: Column, value: unknown): string => {
  if (value === undefined || value === '') {
    return `${rules[column]}; it is missing.`;
  }
  const problem = `${rules[column]}, not ${excerpt(value)}.`;
  const hint = column !== 'status' && typeof value === 'string' ? hintFor(value) : undefined;
  return hint === undefined ? problem : `${problem} ${hint}`;
};

const longestExcerpt = 40;

/** Returns a value for a message: at most 40 characters of a text, in quotes and all visible. */
export const excerpt = (value: unknown): string => {
  if (typeof value === 'string') {
    const start = [...value.slice(0, 2 * longestExcerpt)].slice(0, longestExcerpt).join('');
    return visible(JSON.stringify(start === value ? value : `${start}…`));
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  return value !== null && typeof value === 'object' ? 'an object' : String(value);
};
