import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, type DynamoDB } from '@aws-sdk/client-dynamodb';
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
    const returned = await itemOfFailedUpdate(client);
    if (returned?.id?.S !== entry.id.S) {
      throw new Error(
        'a failed condition does not return the item (ReturnValuesOnConditionCheckFailure), ' +
          'without which the service cannot tell a 412 from a 404',
      );
    }
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

/** Returns what the engine tells of the item that failed a condition. */
const itemOfFailedUpdate = async (client: DynamoDB) => {
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
    await client.updateItem({
      TableName,
      Key: entry,
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return error.Item;
    }
    throw error;
  } finally {
    await client.deleteTable({ TableName });
  }
  throw new Error('a condition that does not hold is not enforced');
};
