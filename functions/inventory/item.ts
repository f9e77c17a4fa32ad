export const petStatuses = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof petStatuses)[number];

/** One entry of the inventory: the stock of one pet. */
export interface InventoryItem {
  /** A unique int64; the table's partition key. */
  petId: bigint;
  /** An integer from 0 to 9007199254740991. */
  quantity: number;
  status: PetStatus;
}

/** What a quantity must be, for messages. */
export const quantityRange = `an integer from 0 to ${Number.MAX_SAFE_INTEGER}`;

/** What of an item its ETag tells. */
export type Stock = Pick<InventoryItem, 'quantity' | 'status'>;

/**
 * Whether a text is an int64 in canonical decimal form: no plus sign, no leading zeros, no
 * exponent.
 */
export const isPetId = (text: string): boolean =>
  /^(0|-?[1-9][0-9]{0,18})$/.test(text) &&
  // A list may check millions, and BigInt is slow.
  (text.length < 19 || BigInt.asIntN(64, BigInt(text)) === BigInt(text));

/** Whether a value is a number that is a valid quantity. */
export const isQuantity = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

export const isPetStatus = (text: unknown): text is PetStatus =>
  petStatuses.includes(text as PetStatus);
