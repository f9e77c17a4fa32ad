import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../dynamodb/document-client.ts';
import { ApiError } from '../errors/api-error.ts';
import { type InventoryItem, isPetStatus, petStatuses } from './item.ts';
import { InvalidEntryError } from './stored-entry.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

/**
 * Sets the quantity of an existing entry, whatever it was. Returns the updated entry and, for the
 * log, the previous quantity: as text if a number cannot express it. After a lost response and a
 * retry, it may already be the new one.
 * @throws ApiError `pet_not_found`
 * @throws InvalidEntryError after the update, if the entry's stored status is invalid
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
    // Without this condition, UpdateItem would create a missing entry.
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeValues: { ':quantity': quantity },
    ReturnValues: 'ALL_OLD',
  });
  const { Attributes: before = {} } = await documentClient
    .send(update, { abortSignal })
    .catch((error) => {
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
