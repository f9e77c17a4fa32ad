export const petStatuses = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof petStatuses)[number];

/** One entry of the inventory: the stock of one pet. */
export interface InventoryItem {
  /** int64, unique; the table's partition key. */
  petId: bigint;
  /** Integer from 0 to 9007199254740991. */
  quantity: number;
  status: PetStatus;
}
