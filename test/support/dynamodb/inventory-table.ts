import { type AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { contextWith, patchEvent, setEnvironment } from '../functions/functions.ts';
import { atEnd } from '../process/at-end.ts';
import { createTable } from './create-table.ts';
import { retryAtOnce } from './dynamodb.ts';
import { dynamodbProxy, type Passing, type Reaction } from './dynamodb-proxy.ts';
import { sharedEndpoint } from './engine.ts';

type Attributes = Record<string, AttributeValue | undefined>;

/**
 * Creates its tables, and loads the function that updates it. `react` gets each call of the function
 * on its way to the engine. Await this outside of tests.
 */
export const inventoryTable = async (react: (call: Passing) => Promise<Reaction>) => {
  const proxy = await dynamodbProxy(sharedEndpoint, react);
  atEnd(proxy.close);
  const TableName = `table-${crypto.randomUUID()}`;
  const receipts = `receipts-of-${TableName}`;
  setEnvironment({
    AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
    INVENTORY_TABLE_NAME: TableName,
    RECEIPTS_TABLE_NAME: receipts,
  });
  const engine = new DynamoDB({ endpoint: sharedEndpoint });
  atEnd(() => engine.destroy());
  await createTable(engine, { name: TableName, key: 'petId', type: 'N' });
  await createTable(engine, { name: receipts, key: 'id', type: 'S' });

  const { client } = await import('../../../functions/dynamodb/dynamodb-client.ts');
  retryAtOnce(client);
  const { handler } = await import('../../../functions/update-inventory.ts');
  const keyOf = (petId: bigint | number) => ({ petId: { N: String(petId) } });
  return {
    engine,
    tableName: TableName,
    put: (petId: bigint | number, attributes: Attributes) =>
      engine.putItem({
        TableName,
        Item: { ...keyOf(petId), ...attributes } as Record<string, AttributeValue>,
      }),
    /** Returns an item as it is in the table. */
    stored: async (petId: bigint | number) =>
      (await engine.getItem({ TableName, Key: keyOf(petId), ConsistentRead: true })).Item,
    /** Sends the function a request. `petId` is as in its path. */
    patch: (petId: string, body: string, headers?: Record<string, string[]>) =>
      handler(
        patchEvent(petId, body, headers),
        contextWith(10_000),
      ) as Promise<APIGatewayProxyResult>,
  };
};
