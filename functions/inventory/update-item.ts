import {
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { SendOptions } from '../dynamodb/attempts.ts';
import { client } from '../dynamodb/dynamodb-client.ts';
import { outcomeUnknown } from '../errors/api-error.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { failedCondition, ifStockIs, stockOfEtag, whyNotUpdated } from './conditional-update.ts';
import { onceToken } from './idempotency-key.ts';
import { type InventoryItem, isPetStatus, petStatuses, type Stock } from './item.ts';
import { InvalidItemError } from './stored-item.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

interface ItemUpdate extends Pick<InventoryItem, 'petId' | 'quantity'> {
  /** The ETag that the item must have, or `*`; undefined if the client demands nothing. */
  ifMatch?: string | undefined;
  /** The client's name for this update, if it has an ETag, and the API key that the name is of. */
  idempotencyKey?: string | undefined;
  keyId?: string | undefined;
}

type Options = SendOptions & { record: RequestRecord };

/** A stock as it was before an update; what is stored may be anything. */
type Before = { quantity?: string; status?: unknown } | undefined;

/**
 * Sets the quantity of an existing item. Returns the updated item and, for the log, the previous
 * quantity: as text if a number cannot express it. Without an ETag, it may already be the new one
 * after a lost response and a retry.
 * @throws ApiError `pet_not_found`, and with an ETag `precondition_failed`, `outcome_unknown`
 * @throws InvalidItemError after the update, if the item's stored status is invalid
 */
export const updateItem = async (
  { petId, quantity, ifMatch, idempotencyKey, keyId }: ItemUpdate,
  options: Options,
): Promise<{ item: InventoryItem; quantityBefore: number | string | undefined }> => {
  // An item that exists matches `*`, and every update demands that.
  const etag = ifMatch === '*' ? undefined : ifMatch;
  const { ExpressionAttributeValues, ...condition } =
    etag === undefined ? ifExists : ifStockIs(etag);
  const update = {
    TableName,
    Key: { petId },
    UpdateExpression: 'SET quantity = :quantity',
    ExpressionAttributeValues: { ':quantity': quantity, ...ExpressionAttributeValues },
    ...condition,
  };
  const token = onceToken(idempotencyKey, TableName, keyId, String(petId));
  const mayBeRepeated = idempotencyKey !== undefined;
  const sent =
    etag === undefined
      ? send(update, options)
      : sendOnce(update, { token, mayBeRepeated }, options).then(() => stockBefore(etag));
  const before = await sent.catch((error) => {
    throw whyNotUpdated(error, options.record, etag);
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
  return { item, quantityBefore: exactNumber(before?.quantity) };
};

/** Sends an update that may be applied twice. */
const send = async (update: UpdateCommandInput, options: Options): Promise<Before> => {
  const { Attributes } = await client.send(
    new UpdateCommand({ ...update, ReturnValues: 'ALL_OLD' }),
    options,
  );
  return Attributes && { quantity: Attributes.quantity?.value, status: Attributes.status };
};

/** A transaction returns no item, but the ETag tells what it was. */
const stockBefore = (etag: string): Before => {
  const { quantity, status } = stockOfEtag(etag) as Stock;
  return { quantity: String(quantity), status };
};

type Actions = TransactWriteCommandInput['TransactItems'];

/**
 * Sends an update that is applied once, however often it is repeated: DynamoDB keeps the token of a
 * transaction for ten minutes, and answers a repetition as the first. A plain update, sent twice,
 * could undo what another client did after the first time.
 *
 * A transaction with a false condition leaves no token, so an earlier one that is late could still
 * find a stock that has come back. A change of nothing then takes the token, which makes the false
 * condition final.
 */
const sendOnce = async (
  Update: UpdateCommandInput & { UpdateExpression: string },
  { token: ClientRequestToken, mayBeRepeated }: { token: string; mayBeRepeated: boolean },
  options: Options,
): Promise<void> => {
  const run = (TransactItems: Actions) =>
    client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems }), options);
  try {
    await run([{ Update }]);
  } catch (error) {
    const isFalse = failedCondition(error) !== undefined;
    if (isFalse && (mayBeRepeated || options.record.unsettledAttempt !== undefined)) {
      await run([{ ConditionCheck: { TableName, Key: Update.Key, ...always } }]).catch((cause) => {
        throw outcomeUnknown(cause);
      });
      options.record.unsettledAttempt = undefined;
    }
    throw error;
  }
};

const always = { ConditionExpression: 'attribute_exists(petId) OR attribute_not_exists(petId)' };

/** Without this condition, UpdateItem would create a missing item. */
const ifExists: Partial<UpdateCommandInput> = { ConditionExpression: 'attribute_exists(petId)' };

/** Returns a numeral as a number, or as it is if a number cannot express it. */
const exactNumber = (numeral: string | undefined): number | string | undefined => {
  const isExact = String(Number(numeral)) === numeral;
  return isExact ? Number(numeral) : numeral;
};
