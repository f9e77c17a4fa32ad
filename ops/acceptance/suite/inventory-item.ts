/** An entry of the inventory. Its integers are exact. */
export interface InventoryItem {
  petId: bigint;
  quantity: bigint;
  status: string;
}
