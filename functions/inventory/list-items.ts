import type { SendOptions } from '../dynamodb/attempts.ts';
import { scanTable } from './scan-table.ts';

/**
 * Yields the inventory as one JSON array, in parts of one page each: the text and the number of
 * items in it.
 * @throws InvalidItemError if a stored item breaks the contract
 */
export async function* listItems(
  options: SendOptions,
): AsyncGenerator<{ text: string; entries: number }> {
  let opening = '[';
  for await (const { text, entries } of scanTable(options)) {
    if (entries > 0) {
      yield { text: opening + text, entries };
      opening = ',';
    }
  }
  yield { text: opening === '[' ? '[]' : ']', entries: 0 };
}
