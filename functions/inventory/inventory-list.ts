import { type StoredItem, scanInventory } from './inventory-scan.ts';

/** A part of the list's JSON text, and how many entries are in it. */
export interface ListPart {
  text: string;
  entries: number;
}

const statusJson: Record<string, string> = { available: '"available"', pending: '"pending"', sold: '"sold"' };

// The numerals are written straight through: exact, and no bigint is made of them.
const toJson = ({ petId, quantity, status }: StoredItem): string =>
  `{"petId":${petId.N},"quantity":${quantity.N},"status":${statusJson[status.S] ?? JSON.stringify(status.S)}}`;

/** Every entry of the inventory as one JSON array, in parts of a page. */
export async function* listInventory(signal: AbortSignal): AsyncGenerator<ListPart> {
  let opening = '[';
  for await (const items of scanInventory(signal)) {
    if (items.length > 0) {
      yield { text: opening + items.map(toJson).join(','), entries: items.length };
      opening = ',';
    }
  }
  yield { text: opening === '[' ? '[]' : ']', entries: 0 };
}
