import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../dynamodb/document-client.ts';
import { ApiError } from '../errors/api-error.ts';
import { type InventoryItem, isPetStatus, petStatuses } from './inventory-item.ts';
import { InvalidEntryError } from './stored-entry.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

/**
 * Sets the quantity of an existing entry, whatever it was. Returns the entry as it is now and, for the log, the
 * quantity before: its numeral, if no number is the same, and the new one already, perhaps, where a response of
 * DynamoDB was lost and the SDK tried again.
 * @throws ApiError `pet_not_found`
 * @throws InvalidEntryError after the update, if the entry has no status that a client may be told
 */
export const updateInventory = async (
  petId: bigint,
  quantity: number,
  abortSignal: AbortSignal,
): Promise<{ item: InventoryItem; quantityBefore: number | string | undefined }> => {
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
  const { status } = before;
  if (!isPetStatus(status)) {
    const message = `The quantity of petId ${petId} is now ${quantity}, but its status is none of ${petStatuses.join(', ')}.`;
    throw new InvalidEntryError(message);
  }
  const numeral: string | undefined = before.quantity?.value;
  const quantityBefore = String(Number(numeral)) === numeral ? Number(numeral) : numeral;
  return { item: { petId, quantity, status }, quantityBefore };
};
