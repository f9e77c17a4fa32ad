import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  type ScanCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import pRetry from 'p-retry';
import { type InventoryItem, isPetStatus, type PetStatus } from '../../functions/inventory/inventory-item.ts';
import type { StoredEntry } from '../../functions/inventory/stored-entry.ts';
import type { Table } from '../stage/stage.ts';

/** The most entries that one request takes. */
export const lookUpSize = 100;

const ExpressionAttributeNames = { '#status': 'status' };
const attributes = { ProjectionExpression: 'petId, quantity, #status', ExpressionAttributeNames, ConsistentRead: true };

const keyOf = (petId: bigint | string) => ({ petId: { N: String(petId) } });

/** What the table holds of an entry. */
export const toStored = ({ petId, quantity, status }: InventoryItem): Required<StoredEntry> => ({
  ...keyOf(petId),
  quantity: { N: String(quantity) },
  status: { S: status },
});

/** An entry that keeps the contract. */
export const fromStored = ({ petId, quantity, status }: StoredEntry): InventoryItem => ({
  petId: BigInt(petId.N),
  quantity: Number(quantity?.N),
  status: status?.S as PetStatus,
});

/** What an entry holds besides its petId, whatever that is. */
export const describeStored = ({ quantity, status }: StoredEntry): string => {
  const text = (attribute?: AttributeValue) =>
    attribute?.N ?? (isPetStatus(attribute?.S) ? attribute.S : (JSON.stringify(attribute) ?? 'missing'));
  return `quantity ${text(quantity)}, status ${text(status)}`;
};

/** The same as a JSON object with petId, every digit exact. */
export const storedJson = ({ petId, quantity, status }: StoredEntry) => {
  const value = (attribute?: AttributeValue) =>
    attribute?.N === undefined ? (attribute?.S ?? attribute) : JSON.rawJSON(attribute.N);
  return { petId: value(petId), quantity: value(quantity), status: value(status) };
};

class UnprocessedKeys extends Error {
  override readonly name = 'ThrottlingException';
}

/**
 * Repeats a call that is throttled, for a minute or two in all: a new on-demand table grows into a load within minutes.
 * The SDK's own retries share a budget that many calls at once use up.
 */
const patiently = <Result>(call: () => Promise<Result>): Promise<Result> =>
  pRetry(call, {
    retries: 9,
    minTimeout: 50,
    maxTimeout: 30_000,
    randomize: true,
    shouldRetry: ({ error }) => isThrottlingError(error as SdkError),
  });

export const isEmpty = async ({ client, TableName }: Table): Promise<boolean> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, Limit: 1, ConsistentRead: true }));
  return Items.length === 0;
};

export const storedEntry = async (
  { client, TableName }: Table,
  petId: bigint | string,
): Promise<StoredEntry | undefined> => {
  const get = new GetItemCommand({ TableName, Key: keyOf(petId), ...attributes });
  return (await patiently(() => client.send(get))).Item as StoredEntry | undefined;
};

/** Those of at most 100 petIds that are in the table, by petId. */
export const storedEntries = async (
  { client, TableName }: Table,
  petIds: bigint[],
): Promise<Map<string, StoredEntry>> => {
  const found = new Map<string, StoredEntry>();
  let Keys: Record<string, AttributeValue>[] = petIds.map(keyOf);
  await patiently(async () => {
    const get = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ...attributes } } });
    const { Responses, UnprocessedKeys: unprocessed } = await client.send(get);
    for (const item of (Responses?.[TableName] ?? []) as unknown as StoredEntry[]) {
      found.set(item.petId.N, item);
    }
    Keys = unprocessed?.[TableName]?.Keys ?? [];
    if (Keys.length > 0) {
      throw new UnprocessedKeys('DynamoDB left keys unprocessed.');
    }
  });
  return found;
};

/** Every entry, in pages. */
export async function* scanEntries({ client, TableName }: Table): AsyncGenerator<StoredEntry[]> {
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const scan = new ScanCommand({ TableName, ...attributes, ExclusiveStartKey });
    const page: ScanCommandOutput = await patiently(() => client.send(scan));
    yield (page.Items ?? []) as unknown as StoredEntry[];
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** What came of a write: it holds, or others have put there (or left there) something else. */
export type Written = { by: 'us' } | { by: 'others'; now: StoredEntry | undefined };

/**
 * Creates an entry, or replaces the one that was seen, if the table is still as it was seen. An entry that is there
 * just as it is to be counts as written: this may be a second try, after a response that was lost.
 */
export const writeEntry = async (table: Table, item: InventoryItem, seen?: StoredEntry): Promise<Written> => {
  try {
    await patiently(() => (seen ? replace(table, item, seen) : create(table, item)));
    return { by: 'us' };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
  }
  const now = await storedEntry(table, item.petId);
  return now && isSame(now, item) ? { by: 'us' } : { by: 'others', now };
};

export const isSame = ({ quantity, status }: StoredEntry, item: InventoryItem): boolean =>
  quantity?.N === String(item.quantity) && status?.S === item.status;

const create = ({ client, TableName }: Table, item: InventoryItem) =>
  client.send(
    new PutItemCommand({ TableName, Item: toStored(item), ConditionExpression: 'attribute_not_exists(petId)' }),
  );

const replace = ({ client, TableName }: Table, item: InventoryItem, seen: StoredEntry) => {
  const { petId, quantity, status } = toStored(item);
  const { ConditionExpression, values } = unchanged(seen);
  const update = new UpdateItemCommand({
    TableName,
    Key: { petId },
    UpdateExpression: 'SET quantity = :quantity, #status = :status',
    ConditionExpression,
    ExpressionAttributeNames,
    ExpressionAttributeValues: { ':quantity': quantity, ':status': status, ...values },
  });
  return client.send(update);
};

/** A condition that holds as long as nobody has changed the entry. */
const unchanged = ({ quantity, status }: StoredEntry) => {
  const values: Record<string, AttributeValue> = {
    ...(quantity && { ':seenQuantity': quantity }),
    ...(status && { ':seenStatus': status }),
  };
  const conditions = [
    'attribute_exists(petId)',
    quantity ? 'quantity = :seenQuantity' : 'attribute_not_exists(quantity)',
    status ? '#status = :seenStatus' : 'attribute_not_exists(#status)',
  ];
  return { ConditionExpression: conditions.join(' AND '), values };
};

const ifConditionHolds = async <Result>(write: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return undefined;
    }
    throw error;
  }
};

/** Returns the whole entry as it is then; nothing if there is none. */
export const setStatus = async (
  { client, TableName }: Table,
  petId: string,
  status: PetStatus,
): Promise<StoredEntry | undefined> => {
  const update = new UpdateItemCommand({
    TableName,
    Key: keyOf(petId),
    UpdateExpression: 'SET #status = :status',
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeNames,
    ExpressionAttributeValues: { ':status': { S: status } },
    ReturnValues: 'ALL_NEW',
  });
  const updated = await ifConditionHolds(client.send(update));
  return updated?.Attributes as StoredEntry | undefined;
};

/** Removes an entry unless it was changed since it was seen; returns whether it did. */
export const removeEntry = async ({ client, TableName }: Table, seen: StoredEntry): Promise<boolean> => {
  const { ConditionExpression, values } = unchanged(seen);
  const remove = new DeleteItemCommand({
    TableName,
    Key: { petId: seen.petId },
    ConditionExpression,
    ExpressionAttributeNames,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });
  return (await ifConditionHolds(client.send(remove))) !== undefined;
};
