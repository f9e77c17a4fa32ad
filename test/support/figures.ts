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

/** The entry with the most bytes that the contract allows. The compiler demands each attribute. */
const longestEntry: Required<InventoryItem> = {
  petId: -(2n ** 63n),
  quantity: Number.MAX_SAFE_INTEGER,
  status: petStatuses.reduce((one, other) => (other.length > one.length ? other : one)),
};

/** Bytes of an entry in a list, with a comma. */
export const bytesOfEntry = {
  longest: `${toJson(longestEntry)},`.length,
  /** Of the longest with gzip, if all digits are random. */
  zipped: 22,
};
