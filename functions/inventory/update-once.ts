import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { SendOptions } from '../dynamodb/attempts.ts';
import { client } from '../dynamodb/dynamodb-client.ts';
import { outcomeUnknown } from '../errors/api-error.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { variable } from '../shared/environment.ts';
import { stockOfEtag } from './etag.ts';
import { tokenOf } from './idempotency-key.ts';
import { changesOf, type InventoryItem, type Stock } from './item.ts';
import { refusalOf } from './refusals.ts';

const TableName = variable('INVENTORY_TABLE_NAME');

export interface ConditionalUpdate extends Pick<InventoryItem, 'petId' | 'quantity'> {
  etag: string;
  /** The client's name for this update. */
  idempotencyKey?: string | undefined;
  /** The API key to which that name belongs. */
  keyId?: string | undefined;
}

export type UpdateOptions = SendOptions & { record: RequestRecord };

/** A stock as it was before an update; what is stored may be anything. */
export interface Before {
  /** A numeral, because a number might round it. */
  quantity?: string | undefined;
  status?: unknown;
}

/**
 * Updates an item that has this ETag. That is applied once, however often it is sent: for ten
 * minutes DynamoDB keeps the token of a transaction that has succeeded, and answers the same
 * transaction again without applying it. A plain update, sent twice, could undo what another client
 * did in between.
 *
 * What is sent for a request must not change from one version of the service to the next: a client
 * may send the request again during a deployment.
 * @throws ApiError `pet_not_found`, `precondition_failed`, `idempotency_key_reused`,
 * `outcome_unknown`
 */
export const updateOnce = async (
  { etag, petId, quantity, ...update }: ConditionalUpdate,
  options: UpdateOptions,
): Promise<Before> => {
  const change = changesOf({ quantity });
  const condition = ifStockIs(etag);
  const item = { TableName, Key: { petId } };
  const run = transactionWith(tokenOf({ TableName, petId, ...update }), options);
  const sent = run({
    Update: {
      ...item,
      ...change,
      ConditionExpression: condition.expression,
      ExpressionAttributeNames: { ...change.ExpressionAttributeNames, ...condition.names },
      ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ...condition.values },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });
  await sent.catch(async (error) => {
    const refusal = refusalOf(error);
    const { unsettledAttempt } = options.record;
    if (refusal === undefined) {
      throw unsettledAttempt === undefined ? error : outcomeUnknown(unsettledAttempt);
    }
    const isTokenTaken = refusal.code === 'idempotency_key_reused';
    const mayBeLate = update.idempotencyKey !== undefined || unsettledAttempt !== undefined;
    if (mayBeLate && !isTokenTaken) {
      await makeFinal(() => run({ ConditionCheck: { ...item, ...always } }));
    }
    throw refusal;
  });
  // A transaction returns no item, but the ETag tells what it was.
  const { quantity: quantityBefore, status } = stockOfEtag(etag) as Stock;
  return { quantity: String(quantityBefore), status };
};

/** Returns the condition that an item has this ETag. */
const ifStockIs = (etag: string) => {
  const stock = stockOfEtag(etag);
  return stock === undefined
    ? // Never true, because no item can have this ETag.
      { expression: 'attribute_exists(petId) AND attribute_not_exists(petId)' }
    : {
        expression: '#quantity = :currentQuantity AND #status = :currentStatus',
        names: { '#quantity': 'quantity', '#status': 'status' },
        values: { ':currentQuantity': stock.quantity, ':currentStatus': stock.status },
      };
};

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Returns a function that sends a transaction of one action with this token. */
const transactionWith = (ClientRequestToken: string, options: UpdateOptions) => (action: Action) =>
  client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems: [action] }), options);

/**
 * Makes a refusal final. DynamoDB does not keep the token of a transaction whose condition was
 * false, so an attempt that is late, or a repetition, could still find a stock that has come back.
 * Another transaction takes the token, and so shuts them out.
 * @throws ApiError `outcome_unknown` if the token was not taken, perhaps because a late attempt has
 * been applied: when the client sends the request again, it gets to know that
 */
const makeFinal = async (takeToken: () => Promise<unknown>): Promise<void> => {
  await takeToken().catch((error) => {
    throw outcomeUnknown(error);
  });
};

/** The condition of a check that changes nothing and is always true. */
const always = { ConditionExpression: 'attribute_exists(petId) OR attribute_not_exists(petId)' };
