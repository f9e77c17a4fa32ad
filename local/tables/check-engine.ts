import { randomUUID } from 'node:crypto';
import {
  type DynamoDB,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  type Update,
} from '@aws-sdk/client-dynamodb';
import { LocalRunError } from '../shared/local-run-error.ts';
import { localDynamodb, untilTableExists } from './local-dynamodb.ts';

/**
 * Tries another engine on a table of its own, which is then removed, before anything else is written
 * to it.
 * @throws LocalRunError that says why the engine cannot be used
 */
export const checkEngine = async (endpoint: string): Promise<{ keepsTokens: boolean }> => {
  const client = localDynamodb(endpoint);
  try {
    return await withTable(client, async (TableName) => {
      await demandOldItem(client, TableName);
      return { keepsTokens: await keepsTokens(client, TableName) };
    });
  } catch (cause) {
    const reason = reasonOf(cause as NodeJS.ErrnoException);
    const message = `${endpoint} cannot be used as a DynamoDB engine: ${reason}.`;
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

const Key = { id: { S: 'entry' } };

/** Makes a table with one item, and removes it after the task. */
const withTable = async <Result>(
  client: DynamoDB,
  task: (TableName: string) => Promise<Result>,
): Promise<Result> => {
  const TableName = `petstore-start-${randomUUID()}`;
  await client.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
  try {
    await untilTableExists(client, TableName);
    await client.putItem({ TableName, Item: Key });
    return await task(TableName);
  } finally {
    await client.deleteTable({ TableName });
  }
};

/** Runs a transaction of one update, as the service does. */
const transact = (client: DynamoDB, ClientRequestToken: string, update: Update) =>
  client.transactWriteItems({ ClientRequestToken, TransactItems: [{ Update: update }] });

/** A false condition must return the item: a 412 tells the client what the stock is. */
const demandOldItem = async (client: DynamoDB, TableName: string): Promise<void> => {
  const failure = await transact(client, randomUUID(), {
    TableName,
    Key,
    UpdateExpression: 'SET changed = id',
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }).catch((error) => error);
  const isCancelled = failure instanceof TransactionCanceledException;
  const [reason] = (isCancelled && failure.CancellationReasons) || [];
  if (reason?.Item?.id?.S !== Key.id.S) {
    const message = "it returns no item when a transaction's condition is false";
    throw new Error(message, { cause: failure });
  }
};

/** Whether a transaction that is sent again is applied once, and its token serves no other. */
const keepsTokens = async (client: DynamoDB, TableName: string): Promise<boolean> => {
  const token = randomUUID();
  const add = (count: string) =>
    transact(client, token, {
      TableName,
      Key,
      UpdateExpression: 'ADD applied :count',
      ExpressionAttributeValues: { ':count': { N: count } },
    });
  await add('1');
  await add('1');
  const other = await add('10').catch((error) => error);
  const { Item } = await client.getItem({ TableName, Key, ConsistentRead: true });
  return Item?.applied?.N === '1' && other instanceof IdempotentParameterMismatchException;
};
