import { type AttributeValue, BatchGetItemCommand, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { patiently, Throttled } from '../patiently.ts';
import type { Table } from '../stage/stage.ts';

/** What the table holds of an entry: quantity and status as DynamoDB keeps them, or nothing of them. */
export interface Existing {
  quantity?: AttributeValue;
  status?: AttributeValue;
}

/** The most that one request takes. */
export const lookUpSize = 100;

const attributes = {
  ProjectionExpression: 'petId, quantity, #status',
  ExpressionAttributeNames: { '#status': 'status' },
  ConsistentRead: true,
};

const keyOf = (petId: bigint) => ({ petId: { N: String(petId) } });

export const isEmpty = async ({ client, TableName }: Table): Promise<boolean> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, Limit: 1, ConsistentRead: true }));
  return Items.length === 0;
};

export const existingEntry = async ({ client, TableName }: Table, petId: bigint): Promise<Existing | undefined> => {
  const get = new GetItemCommand({ TableName, Key: keyOf(petId), ...attributes });
  return (await patiently(() => client.send(get))).Item;
};

/** Those of at most 100 petIds that are in the table. */
export const existingEntries = async (
  { client, TableName }: Table,
  petIds: bigint[],
): Promise<Map<bigint, Existing>> => {
  const found = new Map<bigint, Existing>();
  let Keys = petIds.map(keyOf) as Record<string, AttributeValue>[];
  await patiently(async () => {
    const get = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ...attributes } } });
    const { Responses, UnprocessedKeys } = await client.send(get);
    for (const item of Responses?.[TableName] ?? []) {
      found.set(BigInt(item.petId?.N ?? ''), item);
    }
    Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (Keys.length > 0) {
      throw new Throttled('DynamoDB left keys unprocessed.');
    }
  });
  return found;
};
