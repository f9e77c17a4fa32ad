import { type InventoryItem, petStatuses } from '../../functions/inventory/item.ts';
import { toJson } from '../../functions/shared/json.ts';

// What limits and pages are built on. Tests compare the pages with it.

/** The write units that DynamoDB charges for an update. */
export const unitsOfUpdate = {
  plain: 1,
  /** A transaction takes twice the units of each item, also one whose condition is false. */
  withReceipt: 4,
  /** A refusal is written once more. */
  refused: 5,
  /** Of these, those of the entry. */
  ofEntry: 2,
};

const statuses = petStatuses.toSorted((one, other) => one.length - other.length);

/**
 * The entries with the fewest and the most bytes that the contract allows. Of the longest, the
 * compiler demands each attribute.
 */
export const shortestEntry: InventoryItem = {
  petId: 0n,
  quantity: 0,
  status: statuses[0] as InventoryItem['status'],
};
export const longestEntry: Required<InventoryItem> = {
  petId: -(2n ** 63n),
  quantity: Number.MAX_SAFE_INTEGER,
  status: statuses.at(-1) as InventoryItem['status'],
};

/** Bytes of an entry in a list, with a comma. */
const listedBytes = (entry: InventoryItem): number => `${toJson(entry)},`.length;

/** Bytes of an item, as DynamoDB counts them: names, texts, and a byte for two digits. */
const storedBytes = (item: InventoryItem): number =>
  Object.entries(item)
    .map(([name, value]) => {
      const text = String(value);
      const digits = Math.ceil(text.replace('-', '').length / 2) + 1 + Number(text.startsWith('-'));
      return name.length + (typeof value === 'string' ? text.length : digits);
    })
    .reduce((sum, bytes) => sum + bytes);

export const bytesOfEntry = {
  shortest: listedBytes(shortestEntry),
  longest: listedBytes(longestEntry),
  /** Of the longest with gzip, if all digits are random. */
  zipped: 22,
  /** Of the longest in the table. */
  stored: storedBytes(longestEntry),
};

/** Returns the read units of a list of so many of the longest entries. */
export const unitsOfList = (entries: number): number =>
  Math.max(1, Math.ceil((entries * bytesOfEntry.stored) / 4_096));
