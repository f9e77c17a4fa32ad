import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { client } from '../dynamodb/dynamodb-client.ts';
import { ApiError } from '../errors/api-error.ts';
import type { InventoryItem, PetStatus } from './inventory-item.ts';
import { InvalidEntryError, loggedQuantity, violationOf } from './stored-entry.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

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
  const key = { N: String(petId) };
  const newQuantity = { N: String(quantity) };
  const update = new UpdateItemCommand({
    TableName,
    Key: { petId: key },
    UpdateExpression: 'SET quantity = :quantity',
    // UpdateItem alone would create a missing entry.
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeValues: { ':quantity': newQuantity },
    ReturnValues: 'ALL_OLD',
  });
  const { Attributes: before = {} } = await client.send(update, { abortSignal }).catch((error) => {
    throw error instanceof ConditionalCheckFailedException
      ? new ApiError('pet_not_found', 'No inventory entry has this petId.')
      : error;
  });
  const { status } = before;
  const violation = violationOf({ petId: key, quantity: newQuantity, ...(status && { status }) });
  if (violation !== undefined) {
    throw new InvalidEntryError(`The quantity of petId ${petId} is now ${quantity}, but ${violation}.`);
  }
  return {
    item: { petId, quantity, status: status?.S as PetStatus },
    quantityBefore: loggedQuantity(before.quantity),
  };
};
