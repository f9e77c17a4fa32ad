import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isPetId, isPetStatus } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { textTable } from '../cli/text-table.ts';
import { excerpt } from './entries/check-entry.ts';

/** Compares two stored entries for a sort by petId. */
export const byPetId = (one: StoredItem, other: StoredItem): number =>
  numberOf(one) < numberOf(other) ? -1 : 1;

/** The petId of a broken entry need not be an integer. */
const numberOf = ({ petId: { N } }: StoredItem): bigint | number =>
  isPetId(N) ? BigInt(N) : Number(N);

const head = ['PETID', 'QUANTITY', 'STATUS'];
const flexible = head.indexOf('STATUS');
const width = 100;

/** Returns stored entries as a table for people to read. */
export const tableOf = (entries: StoredItem[]): string =>
  textTable({ head, rows: entries.map(cellsOf), width, flexible }).join('\n');

const cellsOf = ({ petId, quantity, status }: StoredItem): string[] => [
  petId.N,
  cellOf(quantity),
  cellOf(status),
];

/** An entry that breaks the contract may hold anything, or nothing. */
const cellOf = (attribute?: AttributeValue): string => {
  if (attribute === undefined) {
    return '-';
  }
  const { S: text, N: number } = attribute;
  if (text !== undefined) {
    return isPetStatus(text) ? text : excerpt(text);
  }
  return number ?? '?';
};
