import type { InventoryItem } from '../../functions/inventory/inventory-item.ts';
import type { Entries } from './entries.ts';
import type { Format } from './read-entries.ts';

const json = ({ petId, quantity, status }: InventoryItem): string =>
  `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;

const csv = ({ petId, quantity, status }: InventoryItem): string => `${petId},${quantity},${status}`;

const formats = {
  csv: { start: 'petId,quantity,status\n', line: csv, between: '\n', end: '' },
  json: { start: '[\n', line: json, between: ',\n', end: ']\n' },
  ndjson: { start: '', line: json, between: '\n', end: '' },
};

/** All entries in order of petId, in pieces of a text; importing it gives the same inventory. */
export function* textOf(entries: Entries, format: Format): Generator<string> {
  const { start, line, between, end } = formats[format];
  let text = start;
  let separator = '';
  for (const index of entries.inOrder()) {
    text += separator + line(entries.at(index));
    separator = between;
    if (text.length > 60_000) {
      yield text;
      text = '';
    }
  }
  yield `${text}${entries.length > 0 ? '\n' : ''}${end}`;
}
