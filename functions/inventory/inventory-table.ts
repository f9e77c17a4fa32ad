import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type NativeAttributeValue, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../dynamodb/document-client.ts';
import { ApiError } from '../errors/api-error.ts';
import type { InventoryItem } from './inventory-item.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

// lib-dynamodb reads a number as bigint only beyond 2^53; an entry's petId is always one.
const toInventoryItem = ({ petId, quantity, status }: Record<string, NativeAttributeValue>): InventoryItem => ({
  petId: BigInt(petId),
  quantity,
  status,
});

/**
 * Sets the quantity of an existing entry and returns the whole entry as it was and as it is. Where an
 * answer of DynamoDB was lost and the SDK has tried again, `before` may hold the new quantity already.
 * @throws ApiError `pet_not_found`
 */
export const updateInventory = async (
  petId: bigint,
  quantity: number,
  abortSignal: AbortSignal,
): Promise<{ before: InventoryItem; after: InventoryItem }> => {
  const update = new UpdateCommand({
    TableName,
    Key: { petId },
    UpdateExpression: 'SET quantity = :quantity',
    // UpdateItem alone would create a missing entry.
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeValues: { ':quantity': quantity },
    ReturnValues: 'ALL_OLD',
  });
  try {
    const { Attributes = {} } = await documentClient.send(update, { abortSignal });
    const before = toInventoryItem(Attributes);
    return { before, after: { ...before, quantity } };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      throw new ApiError('pet_not_found', 'No inventory entry has this petId.');
    }
    throw error;
  }
};
