import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { client } from '../dynamodb/dynamodb-client.ts';
import { variable } from '../shared/environment.ts';
import { changesOf, isPetStatus, petStatuses } from './item.ts';
import { refusalOf } from './refusals.ts';
import { InvalidItemError, type WholeItem } from './stored-item.ts';
import {
  type Before,
  type ConditionalUpdate,
  type UpdateOptions,
  updateOnce,
} from './update-once.ts';

const TableName = variable('INVENTORY_TABLE_NAME');

interface ItemUpdate extends Omit<ConditionalUpdate, 'etag'> {
  /** The ETag that the item must have, or `*`; undefined if the client demands nothing. */
  ifMatch?: string | undefined;
}

/**
 * Sets the quantity of an existing item. Returns the updated item and, for the log, the numeral of
 * the previous quantity. Without an ETag, it may already be the new one after a lost response and a
 * retry.
 * @throws ApiError `pet_not_found`, and with an ETag what updateOnce throws
 * @throws InvalidItemError after the update, if the item's stored status is invalid
 */
export const updateItem = async (
  { ifMatch, ...update }: ItemUpdate,
  options: UpdateOptions,
): Promise<{ item: WholeItem; quantityBefore: string | undefined }> => {
  const { petId, quantity } = update;
  // An item that exists matches `*`, and every update demands that.
  const before =
    ifMatch === undefined || ifMatch === '*'
      ? await updateAny(update, options)
      : await updateOnce({ ...update, etag: ifMatch }, options);
  if (!isPetStatus(before.status)) {
    throw new InvalidItemError(
      `The quantity of petId ${petId} is now ${quantity}, ` +
        `but its status is not one of ${petStatuses.join(', ')}.`,
    );
  }
  const item = { petId, quantity, status: before.status };
  return { item, quantityBefore: before.quantity };
};

/** Updates an item whatever it is. If a response is lost, the update may be applied twice. */
const updateAny = async (
  { petId, quantity }: ItemUpdate,
  options: UpdateOptions,
): Promise<Before> => {
  const update = new UpdateCommand({
    TableName,
    Key: { petId },
    ...changesOf({ quantity }),
    // Without this condition, UpdateItem would create a missing item.
    ConditionExpression: 'attribute_exists(petId)',
    ReturnValues: 'ALL_OLD',
  });
  const { Attributes } = await client.send(update, options).catch((error) => {
    const refusal = refusalOf(error);
    // An earlier attempt may have been applied to an item that was removed since.
    throw refusal === undefined ? error : (options.record.unsettledAttempt ?? refusal);
  });
  return { quantity: Attributes?.quantity?.value, status: Attributes?.status };
};
