import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  ScanCommand,
  type ScanCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import pRetry from 'p-retry';
import type { InventoryItem, PetStatus } from '../../functions/inventory/inventory-item.ts';
import type { StoredEntry } from '../../functions/inventory/stored-entry.ts';
import type { Table } from '../stage/stage.ts';

/** The most entries that one request looks up. */
export const lookUpSize = 100;

const ExpressionAttributeNames = { '#status': 'status' };
const projection = { ProjectionExpression: 'petId, quantity, #status', ExpressionAttributeNames, ConsistentRead: true };

/** A stored entry for toJson, with every digit that the table holds. */
export const printable = ({ petId, quantity, status }: StoredEntry) => {
  const plain = (value?: AttributeValue) => (value?.N === undefined ? (value?.S ?? value) : JSON.rawJSON(value.N));
  return { petId: plain(petId), quantity: plain(quantity), status: plain(status) };
};

/** An entry that keeps the contract. */
export const fromStored = ({ petId, quantity, status }: StoredEntry): InventoryItem => ({
  petId: BigInt(petId.N),
  quantity: Number(quantity?.N),
  status: status?.S as PetStatus,
});

export const isSame = ({ quantity, status }: StoredEntry, item: InventoryItem): boolean =>
  quantity?.N === String(item.quantity) && status?.S === item.status;

/**
 * Repeats a call that is throttled, for a minute or so in all: a new on-demand table grows into a load within minutes.
 * The SDK's own retries share a budget, which many calls at once use up.
 */
const patiently = <Result>(call: () => Promise<Result>): Promise<Result> =>
  pRetry(call, {
    retries: 10,
    minTimeout: 50,
    maxTimeout: 20_000,
    randomize: true,
    shouldRetry: ({ error }) => isThrottlingError(error as SdkError),
  });

/** Those of at most 100 petIds that are in the table, in no order. */
export const storedEntries = async ({ client, TableName }: Table, petIds: string[]): Promise<StoredEntry[]> => {
  const found: StoredEntry[] = [];
  let Keys: Record<string, AttributeValue>[] = petIds.map((petId) => ({ petId: { N: petId } }));
  await patiently(async () => {
    const get = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ...projection } } });
    const { Responses, UnprocessedKeys } = await client.send(get);
    found.push(...((Responses?.[TableName] ?? []) as unknown as StoredEntry[]));
    Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (Keys.length > 0) {
      throw Object.assign(new Error('DynamoDB left keys unprocessed.'), { name: 'ThrottlingException' });
    }
  });
  return found;
};

/** Every entry of the table, in pages. */
export async function* scanEntries({ client, TableName }: Table): AsyncGenerator<StoredEntry[]> {
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const scan = new ScanCommand({ TableName, ...projection, ExclusiveStartKey });
    const page: ScanCommandOutput = await patiently(() => client.send(scan));
    yield page.Items as unknown as StoredEntry[];
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** What a conditional write returns, or undefined if its condition does not hold. */
const ifItHolds = async <Output>(write: () => Promise<Output>): Promise<Output | undefined> => {
  try {
    return await patiently(write);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return undefined;
    }
    throw error;
  }
};

/** A condition that holds as long as nobody has changed an entry, and the values in it. */
const unchanged = ({ quantity, status }: StoredEntry) => ({
  condition:
    `attribute_exists(petId) AND ${quantity ? 'quantity = :seenQuantity' : 'attribute_not_exists(quantity)'}` +
    ` AND ${status ? '#status = :seenStatus' : 'attribute_not_exists(#status)'}`,
  values: { ...(quantity && { ':seenQuantity': quantity }), ...(status && { ':seenStatus': status }) },
});

/**
 * Creates an entry, or replaces the one that was seen, unless the table holds something else by now. An entry that is
 * there as it is to be counts as written: this may be a second try, after a response that was lost.
 * @returns what others have put there, if they have
 */
export const writeEntry = async (
  table: Table,
  item: InventoryItem,
  seen?: StoredEntry,
): Promise<{ now: StoredEntry | undefined } | undefined> => {
  const petId = String(item.petId);
  const { condition, values } = seen ? unchanged(seen) : { condition: 'attribute_not_exists(petId)', values: {} };
  const update = new UpdateItemCommand({
    TableName: table.TableName,
    Key: { petId: { N: petId } },
    UpdateExpression: 'SET quantity = :quantity, #status = :status',
    ConditionExpression: condition,
    ExpressionAttributeNames,
    ExpressionAttributeValues: { ':quantity': { N: String(item.quantity) }, ':status': { S: item.status }, ...values },
  });
  if (await ifItHolds(() => table.client.send(update))) {
    return undefined;
  }
  const [now] = await storedEntries(table, [petId]);
  return now && isSame(now, item) ? undefined : { now };
};

/** Returns the whole entry as it is then; nothing if there is none. */
export const setStatus = async ({ client, TableName }: Table, petId: string, status: PetStatus) => {
  const update = new UpdateItemCommand({
    TableName,
    Key: { petId: { N: petId } },
    UpdateExpression: 'SET #status = :status',
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeNames,
    ExpressionAttributeValues: { ':status': { S: status } },
    ReturnValues: 'ALL_NEW',
  });
  return (await ifItHolds(() => client.send(update)))?.Attributes as StoredEntry | undefined;
};

/** Removes the entry that was seen, unless it was changed since; returns whether it did. */
export const removeEntry = async ({ client, TableName }: Table, seen: StoredEntry): Promise<boolean> => {
  const { condition, values } = unchanged(seen);
  const remove = new DeleteItemCommand({
    TableName,
    Key: { petId: seen.petId },
    ConditionExpression: condition,
    ExpressionAttributeNames,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });
  return (await ifItHolds(() => client.send(remove))) !== undefined;
};
