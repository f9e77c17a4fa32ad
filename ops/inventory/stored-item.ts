import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { InventoryItem, PetStatus } from '../../functions/inventory/inventory-item.ts';

/** An entry as DynamoDB keeps it. */
export const storedItem = ({ petId, quantity, status }: Record<string, AttributeValue>): InventoryItem => ({
  petId: BigInt(petId?.N ?? ''),
  quantity: Number(quantity?.N),
  status: status?.S as PetStatus,
});
