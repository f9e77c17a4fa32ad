import { scanInventory } from './inventory-scan.ts';
import { InvalidEntryError, type StoredEntry, violationOf } from './stored-entry.ts';

// The numerals are written straight through: exact, and no bigint is made of them.
const toJson = (entry: StoredEntry): string => {
  const violation = violationOf(entry);
  if (violation !== undefined) {
    throw new InvalidEntryError(`The list cannot have the entry with petId ${entry.petId.N}: ${violation}.`);
  }
  return `{"petId":${entry.petId.N},"quantity":${entry.quantity?.N},"status":"${entry.status?.S}"}`;
};

/**
 * Every entry of the inventory as one JSON array, in parts of a page: the text, and how many entries are in it.
 * @throws InvalidEntryError
 */
export async function* listInventory(signal: AbortSignal): AsyncGenerator<{ text: string; entries: number }> {
  let opening = '[';
  for await (const entries of scanInventory(signal)) {
    if (entries.length > 0) {
      yield { text: opening + entries.map(toJson).join(','), entries: entries.length };
      opening = ',';
    }
  }
  yield { text: opening === '[' ? '[]' : ']', entries: 0 };
}
