import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type NativeAttributeValue, NumberValue, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../dynamodb/document-client.ts';
import { ApiError } from '../errors/api-error.ts';
import type { InventoryItem } from './inventory-item.ts';
import { InvalidEntryError, loggedQuantity, statusViolation } from './stored-entry.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

/** As it is stored, if it is a number or a text; of what else it is, no more than that. */
const attributeOf = (value: NativeAttributeValue): AttributeValue | undefined => {
  if (value instanceof NumberValue) {
    return { N: value.value };
  }
  return typeof value === 'string' ? { S: value } : value === undefined ? undefined : { NULL: true };
};

/**
 * Sets the quantity of an existing entry, whatever it was. Returns the entry as it is now and, for the log, the
 * quantity before: the new one already, perhaps, where a response of DynamoDB was lost and the SDK tried again.
 * @throws ApiError `pet_not_found`
 * @throws InvalidEntryError after the update, if the entry has no status that a client may be told
 */
export const updateInventory = async (
  petId: bigint,
  quantity: number,
  abortSignal: AbortSignal,
): Promise<{ item: InventoryItem; quantityBefore: number | string }> => {
  const update = new UpdateCommand({
    TableName,
    Key: { petId },
    UpdateExpression: 'SET quantity = :quantity',
    // UpdateItem alone would create a missing entry.
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeValues: { ':quantity': quantity },
    ReturnValues: 'ALL_OLD',
  });
  const { Attributes: before = {} } = await documentClient.send(update, { abortSignal }).catch((error) => {
    throw error instanceof ConditionalCheckFailedException
      ? new ApiError('pet_not_found', 'No inventory entry has this petId.')
      : error;
  });
  const violation = statusViolation(attributeOf(before.status));
  if (violation !== undefined) {
    throw new InvalidEntryError(`The quantity of petId ${petId} is now ${quantity}, but ${violation}.`);
  }
  const quantityBefore = loggedQuantity(attributeOf(before.quantity));
  return { item: { petId, quantity, status: before.status }, quantityBefore };
};
