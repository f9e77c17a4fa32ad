import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  paginateScan,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  attributeNames,
  changesOf,
  type InventoryItem,
  type StockChange,
} from '../../functions/inventory/item.ts';
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

/** Returns the item with this petId, if there is one. */
export const storedItem = async (
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

/** Whether a stored item has all these values. */
export const isSame = (stored: StoredItem, { quantity, status }: StockChange): boolean =>
  (quantity === undefined || stored.quantity?.N === String(quantity)) &&
  (status === undefined || stored.status?.S === status);

/** Returns a stored item for JSON, with every digit. What breaks the contract is shown as it is. */
export const plainItem = (item: StoredItem) =>
  Object.fromEntries(attributeNames.map((name) => [name, plain(item[name])]));

const plain = (attribute?: AttributeValue): unknown =>
  attribute?.N === undefined ? (attribute?.S ?? attribute) : JSON.rawJSON(attribute.N);

/**
 * Creates an item, or replaces the one that was seen. Returns whether the table holds it now: not if
 * somebody else has changed it meanwhile.
 */
export const writeItem = async (
  table: Table,
  { petId, ...stock }: InventoryItem,
  seen?: StoredItem,
): Promise<boolean> => {
  const update = updateOf(table, petId, stock, conditionOf(seen));
  const written = await resultOf(table.client.send(update), () => itemWith(table, petId, stock));
  return written !== undefined;
};

/**
 * Sets attributes of an item, and nothing else of it. Returns the whole item as it is then.
 * @throws CliError if there is none
 */
export const setAttributes = async (
  table: Table,
  petId: bigint,
  stock: StockChange,
): Promise<StoredItem> => {
  const update = updateOf(table, petId, stock, { ConditionExpression: 'attribute_exists(petId)' });
  const updated = table.client.send(update).then(({ Attributes }) => Attributes);
  const item = await resultOf(updated, () => itemWith(table, petId, stock));
  return (item as StoredItem | undefined) ?? notFound(petId);
};

/** Removes the item that was seen. Returns whether it is gone: not if somebody else changed it. */
export const removeItem = async (table: Table, seen: StoredItem): Promise<boolean> => {
  const { client, TableName } = table;
  const petId = BigInt(seen.petId.N);
  const removal = new DeleteItemCommand({ TableName, Key: keyOf(petId), ...conditionOf(seen) });
  const removed = await resultOf(client.send(removal), async () =>
    (await storedItem(table, petId)) === undefined ? 'gone' : undefined,
  );
  return removed !== undefined;
};

/** Returns an update that changes a stock, and keeps the attributes that somebody has added. */
const updateOf = (
  { TableName }: Table,
  petId: bigint,
  stock: StockChange,
  condition: Partial<UpdateItemCommandInput>,
): UpdateItemCommand => {
  const { UpdateExpression, ...change } = changesOf(stock);
  return new UpdateItemCommand({
    TableName,
    Key: keyOf(petId),
    UpdateExpression,
    ConditionExpression: condition.ConditionExpression,
    ExpressionAttributeNames: {
      ...change.ExpressionAttributeNames,
      ...condition.ExpressionAttributeNames,
    },
    ExpressionAttributeValues: {
      ...marshall(change.ExpressionAttributeValues),
      ...condition.ExpressionAttributeValues,
    },
    ReturnValues: 'ALL_NEW',
  });
};

/** Returns the item if it has these values. */
const itemWith = async (
  table: Table,
  petId: bigint,
  stock: StockChange,
): Promise<StoredItem | undefined> => {
  const now = await storedItem(table, petId);
  return now !== undefined && isSame(now, stock) ? now : undefined;
};

/** The condition that an item is as it was seen: what was not there then must be absent still. */
const conditionOf = (seen: Partial<StoredItem> = {}) => {
  const ExpressionAttributeValues: Record<string, AttributeValue> = {};
  const conditions = attributeNames.map((name) => {
    const value = seen[name];
    if (value === undefined) {
      return `attribute_not_exists(#${name})`;
    }
    ExpressionAttributeValues[`:seen_${name}`] = value;
    return `#${name} = :seen_${name}`;
  });
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(attributeNames.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues,
  };
};

/**
 * Waits for a change. If its condition did not hold, `find` looks whether the table is as it should be
 * all the same: the SDK sends a write again whose response was lost. Returns undefined if it is not.
 */
const resultOf = async <Output, Found>(
  change: Promise<Output>,
  find: () => Promise<Found | undefined>,
): Promise<Output | Found | undefined> => {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
    return find();
  }
};
