import { randomUUID } from 'node:crypto';
import {
  type DynamoDB,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { LocalRunError } from '../shared/local-run-error.ts';
import { localDynamodb, untilTableExists } from './local-dynamodb.ts';

/**
 * Checks another engine before anything is written to it, with an entry of a table that is removed
 * at the end.
 * @throws LocalRunError that says why the engine cannot be used
 */
export const checkEngine = async (endpoint: string): Promise<void> => {
  const client = localDynamodb(endpoint);
  try {
    await onNewTable(client, checkTransactions);
  } catch (cause) {
    const reason = reasonOf(cause as NodeJS.ErrnoException);
    const message = `${endpoint} cannot be used as an engine of DynamoDB: ${reason}.`;
    throw new LocalRunError(message, { cause });
  } finally {
    client.destroy();
  }
};

/** Returns an error's first line. Some errors of connections have only a code. */
const reasonOf = ({ name, message, code }: NodeJS.ErrnoException): string | undefined =>
  name === 'TimeoutError'
    ? 'it does not answer'
    : message.split('\n', 1)[0]?.replace(/\.$/, '') || code;

const entry = { id: { S: 'entry' } };

type Check = (client: DynamoDB, TableName: string) => Promise<void>;

const onNewTable = async (client: DynamoDB, check: Check): Promise<void> => {
  const TableName = `petstore-start-${randomUUID()}`;
  await client.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
  try {
    await untilTableExists(client, TableName);
    await client.putItem({ TableName, Item: entry });
    await check(client, TableName);
  } finally {
    await client.deleteTable({ TableName });
  }
};

/**
 * Sends what the service sends: an update whose condition is false, a check that takes its token,
 * the update again, and an update that is repeated.
 */
const checkTransactions: Check = async (client, TableName) => {
  const run = (ClientRequestToken: string, item: TransactWriteItem) =>
    client.transactWriteItems({ ClientRequestToken, TransactItems: [item] });
  const add = (ConditionExpression: string): TransactWriteItem => ({
    Update: {
      TableName,
      Key: entry,
      UpdateExpression: 'ADD times :one',
      ConditionExpression,
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });
  const [refused, applied] = [randomUUID(), randomUUID()];

  const isFalse = await run(refused, add('attribute_not_exists(id)')).catch((error) => error);
  const [reason] =
    isFalse instanceof TransactionCanceledException ? (isFalse.CancellationReasons ?? []) : [];
  demand(
    reason?.Code === 'ConditionalCheckFailed',
    isFalse,
    'a false condition cancels a transaction',
  );
  demand(reason?.Item?.id?.S === entry.id.S, isFalse, 'a false condition returns the item');

  const exists = 'attribute_exists(id)';
  await run(refused, { ConditionCheck: { TableName, Key: entry, ConditionExpression: exists } });
  const late = await run(refused, add(exists)).catch((error) => error);
  const isMismatch = late instanceof IdempotentParameterMismatchException;
  demand(isMismatch, late, 'a token belongs to one transaction');

  await run(applied, add(exists));
  await run(applied, add(exists));
  const twice = await run(randomUUID(), add('times = :one')).then(
    () => undefined,
    (error) => error,
  );
  const isOnce = twice === undefined;
  demand(isOnce, twice, 'a transaction is applied once, however often it is sent');
};

const demand = (isMet: boolean, cause: unknown, what: string): void => {
  if (!isMet) {
    throw new Error(`it does not keep what the service relies on: ${what}`, { cause });
  }
};
