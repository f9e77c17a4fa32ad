import {
  type InventoryItem,
  isPetId,
  isPetStatus,
  isQuantity,
  type PetStatus,
  petStatuses,
  quantityRange,
} from '../../functions/inventory/item.ts';
import { visible } from '../../functions/shared/visible.ts';
import { withoutKeys } from '../cli/terminal.ts';
import { hintFor } from './spreadsheet.ts';

/** What the columns hold, as the end of a sentence. */
export const rules: Record<keyof InventoryItem, string> = {
  petId: 'an int64 in digits without leading zeros',
  quantity: `${quantityRange}, in digits without leading zeros`,
  status: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(petStatuses),
};

export type Column = keyof InventoryItem;

export const columns = Object.keys(rules) as Column[];

/** The columns as a sentence names them. */
export const columnNames = new Intl.ListFormat('en-GB').format(columns);

/** Whether texts are as the rules say. */
export const isValid: Record<Column, (text: string) => boolean> = {
  petId: isPetId,
  // Programs such as pandas write whole numbers as 7.0 if the column has a gap.
  quantity: (text) => /^(0|[1-9]\d*)(\.0+)?$/.test(text) && isQuantity(Number(text)),
  status: isPetStatus,
};

/** An entry of a file. */
export interface Entry {
  /** Its line, or its place in a JSON array; both begin with 1. */
  number: number;
  /** By name. Numbers are their texts, so that no digit is lost. */
  values: Record<string, unknown>;
}

/** What is wrong with an entry, as a sentence, and with which of its columns. */
export interface ColumnProblem {
  column: string;
  text: string;
}

/** Returns the values of an entry as an item, or all that is wrong with them. */
export const checkEntry = (values: Entry['values']): InventoryItem | ColumnProblem[] => {
  const wrong = columns.filter((column) => {
    const value = values[column];
    return typeof value !== 'string' || !isValid[column](value);
  });
  const others = Object.keys(values).filter((name) => !(columns as string[]).includes(name));
  if (wrong.length > 0 || others.length > 0) {
    return [
      ...wrong.map((column) => ({ column, text: problemOf(column, values[column]) })),
      ...others.map((name) => ({ column: 'other columns', text: noColumn(name, values[name]) })),
    ];
  }
  const { petId, quantity, status } = values as Record<Column, string>;
  return { petId: BigInt(petId), quantity: Number(quantity), status: status as PetStatus };
};

const problemOf = (column: Column, value: unknown): string => {
  const problem = `${column} must be ${rules[column]}`;
  if (value === undefined || value === '') {
    return `${problem}; it is missing.`;
  }
  const hint = column === 'status' ? '' : hintFor(value);
  return `${problem}, not ${excerpt(value)}.${hint}`;
};

const noColumn = (name: string, value: unknown): string =>
  `${excerpt(name)} is not one of ${columnNames}; it holds ${excerpt(value)}.`;

/** Returns the beginning of a value for a message, so that a reader sees each character. */
export const excerpt = (value: unknown): string => {
  const json = JSON.stringify(value);
  const start = withoutKeys(json.slice(0, 200));
  return visible(json.length > 60 ? `${start.slice(0, 60)}…` : start);
};
