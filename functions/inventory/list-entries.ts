import { scanInventory } from './scan-table.ts';
import { InvalidEntryError, type StoredEntry, violationOf } from './stored-entry.ts';

// DynamoDB's numerals are copied as text, which keeps every digit and needs no bigint.
const toJson = (entry: StoredEntry): string => {
  const violation = violationOf(entry);
  if (violation !== undefined) {
    throw new InvalidEntryError(
      `The list cannot have the entry with petId ${entry.petId.N}: ${violation}.`,
    );
  }
  return `{"petId":${entry.petId.N},"quantity":${entry.quantity?.N},"status":"${entry.status?.S}"}`;
};

/**
 * Yields the inventory as one JSON array, in parts of one page each: the text and the number of
 * entries in it.
 * @throws InvalidEntryError if a stored entry breaks the contract
 */
export async function* listInventory(
  signal: AbortSignal,
): AsyncGenerator<{ text: string; entries: number }> {
  let opening = '[';
  for await (const entries of scanInventory(signal)) {
    if (entries.length > 0) {
      yield { text: opening + entries.map(toJson).join(','), entries: entries.length };
      opening = ',';
    }
  }
  yield { text: opening === '[' ? '[]' : ']', entries: 0 };
}
