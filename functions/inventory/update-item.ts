import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type RequestOptions, reportAttempts } from '../dynamodb/attempts.ts';
import { documentClient } from '../dynamodb/document-client.ts';
import { ApiError } from '../errors/api-error.ts';
import { type InventoryItem, isPetStatus, petStatuses } from './item.ts';
import { InvalidItemError } from './stored-item.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

/**
 * Sets the quantity of an existing entry, whatever it was. Returns the updated entry and, for the
 * log, the previous quantity: as text if a number cannot express it. After a lost response and a
 * retry, it may already be the new one.
 * @throws ApiError `pet_not_found`
 * @throws InvalidItemError after the update, if the entry's stored status is invalid
 */
export const updateItem = async (
  petId: bigint,
  quantity: number,
  options: RequestOptions,
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

  reportAttempts(update, options);
  const { Attributes: before } = await documentClient
    .send(update, { abortSignal: options.signal })
    .catch((error) => {
      throw notFoundOr(error);
    });
  const status = before?.status;
  if (!isPetStatus(status)) {
    throw new InvalidItemError(
      `The quantity of petId ${petId} is now ${quantity}, ` +
        `but its status is none of ${petStatuses.join(', ')}.`,
    );
  }
  const item = { petId, quantity, status };
  return { item, quantityBefore: exactNumber(before?.quantity?.value) };
};

const notFoundOr = (error: unknown): unknown =>
  error instanceof ConditionalCheckFailedException
    ? new ApiError('pet_not_found', 'No inventory entry has this petId.')
    : error;

/** Returns a numeral as a number, or as it is if a number cannot express it. */
const exactNumber = (numeral: string | undefined): number | string | undefined => {
  const isExact = String(Number(numeral)) === numeral;
  return isExact ? Number(numeral) : numeral;
};
