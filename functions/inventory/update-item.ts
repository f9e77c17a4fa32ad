import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { client } from '../dynamodb/dynamodb-client.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { ifStockIs, whyNotUpdated } from './conditional-update.ts';
import { type InventoryItem, isPetStatus, petStatuses } from './item.ts';
import { InvalidItemError } from './stored-item.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

interface ItemUpdate extends Pick<InventoryItem, 'petId' | 'quantity'> {
  /** The ETag that the item must have, or `*`; undefined if the client demands nothing. */
  ifMatch?: string | undefined;
}

/**
 * Sets the quantity of an existing item. Returns the updated item and, for the log, the previous
 * quantity: as text if a number cannot express it. After a lost response and a retry, which no
 * update with an ETag has, it may already be the new one.
 * @throws ApiError `pet_not_found`, and with an ETag `precondition_failed`, `outcome_unknown`
 * @throws InvalidItemError after the update, if the item's stored status is invalid
 */
export const updateItem = async (
  { petId, quantity, ifMatch }: ItemUpdate,
  options: { abortSignal: AbortSignal; record: RequestRecord },
): Promise<{ item: InventoryItem; quantityBefore: number | string | undefined }> => {
  // An item that exists matches `*`, and every update demands that.
  const etag = ifMatch === '*' ? undefined : ifMatch;
  const { ExpressionAttributeValues, ...condition } =
    etag === undefined ? ifExists : ifStockIs(etag);
  const update = new UpdateCommand({
    TableName,
    Key: { petId },
    UpdateExpression: 'SET quantity = :quantity',
    ExpressionAttributeValues: { ':quantity': quantity, ...ExpressionAttributeValues },
    ReturnValues: 'ALL_OLD',
    ...condition,
  });

  // Twice, it could undo what another client did after the first time.
  const neverTwice = etag !== undefined;
  const sent = client.send(update, { ...options, neverTwice });
  const { Attributes: before } = await sent.catch((error) => {
    throw whyNotUpdated(error, options.record);
  });
  if (ifMatch !== undefined) {
    options.record.fields.precondition = 'met';
  }
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

/** Without this condition, UpdateItem would create a missing item. */
const ifExists: Partial<UpdateCommandInput> = { ConditionExpression: 'attribute_exists(petId)' };

/** Returns a numeral as a number, or as it is if a number cannot express it. */
const exactNumber = (numeral: string | undefined): number | string | undefined => {
  const isExact = String(Number(numeral)) === numeral;
  return isExact ? Number(numeral) : numeral;
};
