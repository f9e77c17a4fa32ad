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

/** The names of an item's attributes, in the order of the contract. */
export const attributeNames = ['petId', 'quantity', 'status'] as const;

export type AttributeName = (typeof attributeNames)[number];

/** What of an item its ETag tells. */
export type Stock = Pick<InventoryItem, 'quantity' | 'status'>;

/** What a change sets of a stock. */
export type StockChange = { [Name in keyof Stock]?: Stock[Name] | undefined };

/** What a petId and a quantity must be, for messages. */
export const petIdRange = 'an integer from -9223372036854775808 to 9223372036854775807';
export const quantityRange = `an integer from 0 to ${Number.MAX_SAFE_INTEGER}`;

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

/** Returns the parts of an update that change a stock, for whoever writes items. */
export const changesOf = (stock: StockChange) => {
  const changes = Object.entries(stock).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${changes.map(([name]) => `#${name} = :${name}`).join(', ')}`,
    // DynamoDB reserves the word `status`.
    ExpressionAttributeNames: Object.fromEntries(changes.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      changes.map(([name, value]) => [`:${name}`, value]),
    ),
  };
};
