import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { changesOf, type InventoryItem, type StockChange } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { CliError } from '../cli/errors.ts';
import type { Table } from '../stage/stage.ts';

/** Yields all items, in the table's own order, one page of DynamoDB's at a time. */
export async function* scanItems({ client, TableName }: Table): AsyncGenerator<StoredItem[]> {
  for await (const { Items } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    yield Items as unknown as StoredItem[];
  }
}

/** Returns which of these petIds (at most 100) exist, each with its item. */
export const findItems = async (
  { client, TableName }: Table,
  petIds: bigint[],
): Promise<Map<string, StoredItem>> => {
  const found = new Map<string, StoredItem>();
  let Keys: Record<string, AttributeValue>[] = petIds.map(keyOf);
  for (;;) {
    const { Responses, UnprocessedKeys } = await client.batchGetItem({
      RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
    });
    for (const item of (Responses?.[TableName] ?? []) as unknown as StoredItem[]) {
      found.set(item.petId.N, item);
    }
    Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (Keys.length === 0) {
      return found;
    }
    // A table under load leaves some keys unprocessed. If it left all, it would throw an error.
    await sleep(500);
  }
};

const storedItem = async (
  { client, TableName }: Table,
  petId: bigint,
): Promise<StoredItem | undefined> => {
  const read = { TableName, Key: keyOf(petId), ConsistentRead: true };
  return (await client.getItem(read)).Item as StoredItem | undefined;
};

/**
 * Returns the item with this petId.
 * @throws CliError if there is none
 */
export const findItem = async (table: Table, petId: bigint): Promise<StoredItem> =>
  (await storedItem(table, petId)) ?? notFound(petId);

const notFound = (petId: bigint): never => {
  throw new CliError(`No entry has the petId ${petId}. inventory import creates entries.`);
};

const keyOf = (petId: bigint) => ({ petId: { N: String(petId) } });

export const isSame = ({ quantity, status }: StoredItem, item: InventoryItem): boolean =>
  quantity?.N === String(item.quantity) && status?.S === item.status;

/** Returns a stored item for JSON, with every digit. What breaks the contract is shown as it is. */
export const plainItem = ({ petId, quantity, status }: StoredItem) => ({
  petId: plain(petId),
  quantity: plain(quantity),
  status: plain(status),
});

const plain = (attribute?: AttributeValue): unknown =>
  attribute?.N === undefined ? (attribute?.S ?? attribute) : JSON.rawJSON(attribute.N);

/**
 * Creates an item, or replaces the one that was seen. Returns whether the table holds it now: not if
 * somebody else has changed it meanwhile.
 */
export const writeItem = async (
  table: Table,
  item: InventoryItem,
  seen?: StoredItem,
): Promise<boolean> => {
  const { client, TableName } = table;
  const { petId, ...stock } = item;
  const change = changesOf(stock);
  const asSeen = conditionOf(seen);
  // An update keeps the attributes that somebody has added.
  const update = client.updateItem({
    TableName,
    Key: keyOf(petId),
    UpdateExpression: change.UpdateExpression,
    ConditionExpression: asSeen.ConditionExpression,
    ExpressionAttributeNames: {
      ...change.ExpressionAttributeNames,
      ...asSeen.ExpressionAttributeNames,
    },
    ExpressionAttributeValues: { ...marshall(change.ExpressionAttributeValues), ...asSeen.values },
  });
  if ((await ifPossible(update)) !== undefined) {
    return true;
  }
  // The condition also fails when the SDK repeats a write that succeeded, but whose response was
  // lost.
  const now = await storedItem(table, item.petId);
  return now !== undefined && isSame(now, item);
};

/**
 * Sets attributes of an item, and nothing else of it. Returns the whole item as it is then.
 * @throws CliError if there is none
 */
export const setAttributes = async (
  { client, TableName }: Table,
  petId: bigint,
  stock: StockChange,
): Promise<StoredItem> => {
  const { ExpressionAttributeValues, ...change } = changesOf(stock);
  const updated = await ifPossible(
    client.updateItem({
      TableName,
      Key: keyOf(petId),
      ConditionExpression: 'attribute_exists(petId)',
      ...change,
      ExpressionAttributeValues: marshall(ExpressionAttributeValues),
      ReturnValues: 'ALL_NEW',
    }),
  );
  return (updated?.Attributes as StoredItem | undefined) ?? notFound(petId);
};

/** Removes the item that was seen. Returns whether it is gone: not if somebody else changed it. */
export const removeItem = async (table: Table, seen: StoredItem): Promise<boolean> => {
  const { client, TableName } = table;
  const { values, ...asSeen } = conditionOf(seen);
  const removal = client.deleteItem({
    TableName,
    Key: { petId: seen.petId },
    ...asSeen,
    ExpressionAttributeValues: values,
  });
  // Here, too, the response to a removal may have been lost.
  return (
    (await ifPossible(removal)) !== undefined ||
    (await storedItem(table, BigInt(seen.petId.N))) === undefined
  );
};

/** The condition that an item is as it was seen: what was not there then must be absent still. */
const conditionOf = (seen: Partial<StoredItem> = {}) => {
  const values: Record<string, AttributeValue> = {};
  const conditions = (['petId', 'quantity', 'status'] as const).map((name) => {
    const value = seen[name];
    if (value === undefined) {
      return `attribute_not_exists(#${name})`;
    }
    values[`:seen_${name}`] = value;
    return `#${name} = :seen_${name}`;
  });
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { '#petId': 'petId', '#quantity': 'quantity', '#status': 'status' },
    values,
  };
};

/** Waits for a conditional change. Returns undefined if its condition did not hold. */
const ifPossible = <Output>(change: Promise<Output>): Promise<Output | undefined> =>
  change.catch((error: unknown) => {
    if (error instanceof ConditionalCheckFailedException) {
      return undefined;
    }
    throw error;
  });
