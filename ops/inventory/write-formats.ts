import type { InventoryItem } from '../../functions/inventory/inventory-item.ts';
import { toJson } from '../../functions/shared/json.ts';
import type { Format } from './read-lines.ts';

/** Text of all items, in chunks of many. */
function* chunks(texts: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length > 60_000) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

function* csvTable(items: Iterable<InventoryItem>): Generator<string> {
  yield 'petId,quantity,status\n';
  for (const { petId, quantity, status } of items) {
    yield `${petId},${quantity},${status}\n`;
  }
}

function* jsonArray(items: IteratorObject<InventoryItem>): Generator<string> {
  let before = '[\n';
  for (const item of items) {
    yield before + toJson(item);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** The inventory in each format, in pieces; importing it gives the same inventory. */
export const writers: Record<Format, (items: IteratorObject<InventoryItem>) => Iterable<string>> = {
  csv: (items) => chunks(csvTable(items)),
  json: (items) => chunks(jsonArray(items)),
  ndjson: (items) => chunks(items.map((item) => `${toJson(item)}\n`)),
};
