import {
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { SendOptions } from '../dynamodb/attempts.ts';
import { client } from '../dynamodb/dynamodb-client.ts';
import { outcomeUnknown } from '../errors/api-error.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { variable } from '../shared/environment.ts';
import { failedCondition, ifStockIs, stockOfEtag, whyNotUpdated } from './conditional-update.ts';
import { tokenOf } from './idempotency-key.ts';
import { changesOf, type InventoryItem, isPetStatus, petStatuses, type Stock } from './item.ts';
import { InvalidItemError } from './stored-item.ts';

const TableName = variable('INVENTORY_TABLE_NAME');

interface ItemUpdate extends Pick<InventoryItem, 'petId' | 'quantity'> {
  /** The ETag that the item must have, or `*`; undefined if the client demands nothing. */
  ifMatch?: string | undefined;
  /** The client's name for this update. It says something only of an update with an ETag. */
  idempotencyKey?: string | undefined;
  /** The API key to which that name belongs. */
  keyId?: string | undefined;
}

type Options = SendOptions & { record: RequestRecord };

/** A stock as it was before an update; what is stored may be anything. */
interface Before {
  /** A numeral, because a number might round it. */
  quantity?: string | undefined;
  status?: unknown;
}

/**
 * Sets the quantity of an existing item. Returns the updated item and, for the log, the previous
 * quantity: as text if a number cannot express it. Without an ETag, it may already be the new one
 * after a lost response and a retry.
 * @throws ApiError `pet_not_found`, and with an ETag `precondition_failed`, `outcome_unknown`,
 * `idempotency_key_reused`
 * @throws InvalidItemError after the update, if the item's stored status is invalid
 */
export const updateItem = async (
  update: ItemUpdate,
  options: Options,
): Promise<{ item: InventoryItem; quantityBefore: number | string | undefined }> => {
  const { petId, quantity, ifMatch } = update;
  // An item that exists matches `*`, and every update demands that.
  const etag = ifMatch === '*' ? undefined : ifMatch;
  const applied =
    etag === undefined ? updateAny(update, options) : updateOnce({ ...update, etag }, options);
  const before = await applied.catch((error) => {
    throw whyNotUpdated(error, options.record, etag);
  });
  if (ifMatch !== undefined) {
    options.record.fields.precondition = 'met';
  }
  if (!isPetStatus(before.status)) {
    throw new InvalidItemError(
      `The quantity of petId ${petId} is now ${quantity}, ` +
        `but its status is not one of ${petStatuses.join(', ')}.`,
    );
  }
  const item = { petId, quantity, status: before.status };
  return { item, quantityBefore: exactNumber(before.quantity) };
};

/** Updates an item whatever it is. If a response is lost, the update may be applied twice. */
const updateAny = async ({ petId, quantity }: ItemUpdate, options: Options): Promise<Before> => {
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName,
      Key: { petId },
      ...changesOf({ quantity }),
      // Without this condition, UpdateItem would create a missing item.
      ConditionExpression: 'attribute_exists(petId)',
      ReturnValues: 'ALL_OLD',
    }),
    options,
  );
  return { quantity: Attributes?.quantity?.value, status: Attributes?.status };
};

/**
 * Updates an item that has this ETag. That is applied once, however often it is sent: for ten
 * minutes DynamoDB keeps the token of a transaction that has succeeded, and answers the same
 * transaction again without applying it. A plain update, sent twice, could undo what another client
 * did in between.
 *
 * What is sent for a request must not change from one version of the service to the next: a client
 * may send the request again during a deployment.
 */
const updateOnce = async (
  { etag, petId, quantity, ...update }: ItemUpdate & { etag: string },
  options: Options,
): Promise<Before> => {
  const change = changesOf({ quantity });
  const condition = ifStockIs(etag);
  const item = { TableName, Key: { petId } };
  const run = transactionWith(tokenOf({ TableName, petId, ...update }), options);
  try {
    await run({
      Update: {
        ...item,
        ...change,
        ConditionExpression: condition.expression,
        ExpressionAttributeNames: { ...change.ExpressionAttributeNames, ...condition.names },
        ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ...condition.values },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    });
  } catch (error) {
    const mayBeLate =
      update.idempotencyKey !== undefined || options.record.unsettledAttempt !== undefined;
    if (mayBeLate && failedCondition(error)) {
      await spendToken(() => run({ ConditionCheck: { ...item, ...always } }), options.record);
    }
    throw error;
  }
  // A transaction returns no item, but the ETag tells what it was.
  const { quantity: quantityBefore, status } = stockOfEtag(etag) as Stock;
  return { quantity: String(quantityBefore), status };
};

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Returns a function that sends a transaction of one action with this token. */
const transactionWith = (ClientRequestToken: string, options: Options) => (action: Action) =>
  client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems: [action] }), options);

/**
 * Makes a false condition final. DynamoDB does not keep the token of a transaction whose condition
 * was false, so an attempt that is late, or a repetition, could still find a stock that has come
 * back. Another transaction takes the token, and so shuts them out.
 * @throws ApiError `outcome_unknown` if the token was not taken, perhaps because a late attempt has
 * been applied: when the client sends the request again, it gets to know that
 */
const spendToken = async (takeToken: () => Promise<unknown>, record: RequestRecord) => {
  try {
    await takeToken();
  } catch (error) {
    throw outcomeUnknown(error);
  }
  record.unsettledAttempt = undefined;
};

/** The condition of a check that changes nothing and is always true. */
const always = { ConditionExpression: 'attribute_exists(petId) OR attribute_not_exists(petId)' };

/** Returns a numeral as a number, or as it is if a number cannot express it. */
const exactNumber = (numeral: string | undefined): number | string | undefined => {
  const isExact = String(Number(numeral)) === numeral;
  return isExact ? Number(numeral) : numeral;
};
