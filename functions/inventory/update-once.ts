import {
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type TransactWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { SendOptions } from '../dynamodb/attempts.ts';
import { client } from '../dynamodb/dynamodb-client.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { variable } from '../shared/environment.ts';
import { stockOfEtag } from './etag.ts';
import { petIdOfToken, tokenOf } from './idempotency-key.ts';
import { changesOf, type InventoryItem, type Stock } from './item.ts';
import { type Learned, never, settle } from './settle.ts';

const TableName = variable('INVENTORY_TABLE_NAME');

/** What this instance learns of DynamoDB. */
const learned: Learned = {};

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
  const { record } = options;
  const token = tokenOf({ TableName, petId, ...update });
  const change = changesOf({ quantity });
  const condition = ifStockIs(etag);
  const action = {
    Update: {
      TableName,
      Key: { petId },
      ...change,
      ConditionExpression: condition.expression,
      ExpressionAttributeNames: { ...change.ExpressionAttributeNames, ...condition.names },
      ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ...condition.values },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  };
  const output = await settle({
    token,
    hasKey: update.idempotencyKey !== undefined,
    record,
    apply: () => run(token, action, options),
    check: (ofToken, ConditionExpression) => {
      const Key = { petId: petIdOfToken(ofToken) };
      const checked = { ConditionCheck: { TableName, Key, ConditionExpression } };
      return run(ofToken, checked, options);
    },
    learned,
  });
  // Otherwise, the attempt without a response may be the one that was applied.
  if (isRepetition(output) && record.unsettledAttempt === undefined) {
    record.fields.repeated = true;
  }
  // A transaction returns no item, but the ETag tells what it was.
  const { quantity: quantityBefore, status } = stockOfEtag(etag) as Stock;
  return { quantity: String(quantityBefore), status };
};

/** Returns the condition that an item has this ETag. */
const ifStockIs = (etag: string) => {
  const stock = stockOfEtag(etag);
  return stock === undefined
    ? // Never true, because no item can have this ETag.
      { expression: never }
    : {
        expression: '#quantity = :currentQuantity AND #status = :currentStatus',
        names: { '#quantity': 'quantity', '#status': 'status' },
        values: { ':currentQuantity': stock.quantity, ':currentStatus': stock.status },
      };
};

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Sends a transaction of one action with this token. */
const run = (
  ClientRequestToken: string,
  action: Action,
  options: SendOptions,
): Promise<TransactWriteCommandOutput> => {
  const TransactItems = [action];
  const ReturnConsumedCapacity = 'TOTAL';
  return client.send(
    new TransactWriteCommand({ ClientRequestToken, TransactItems, ReturnConsumedCapacity }),
    options,
  );
};

/** Whether DynamoDB has only said again that it applied a transaction: then it reads. */
const isRepetition = ({ ConsumedCapacity }: TransactWriteCommandOutput): boolean =>
  Number(ConsumedCapacity?.[0]?.ReadCapacityUnits) > 0;
