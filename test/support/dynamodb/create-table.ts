import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { until } from '../process/until.ts';

interface NewTable {
  name: string;
  key: string;
  /** A number or a text. */
  type: 'N' | 'S';
}

/** Creates a table, and waits until it can be used: under load, the engine needs a moment. */
export const createTable = async (
  client: DynamoDB,
  { name: TableName, key, type }: NewTable,
): Promise<void> => {
  await client.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: key, AttributeType: type }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
  });
  await until(
    'a new table',
    async () => (await client.describeTable({ TableName })).Table?.TableStatus === 'ACTIVE',
  );
};
