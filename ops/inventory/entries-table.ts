import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import type { PetStatus } from '../../functions/inventory/item.ts';
import type { StoredEntry } from '../../functions/inventory/stored-entry.ts';
import { retryThrottled } from '../stage/client-settings.ts';
import { asSeen, ifAsSeen } from '../stage/conditional-change.ts';
import type { Table } from '../stage/stage.ts';
import { columns, type Entry } from './check-entry.ts';

/** The most entries that one BatchGetItem request may look up. */
export const lookUpSize = 100;

/** Returns a stored entry for toJson, with every digit that the table holds. */
export const printable = ({ petId, quantity, status }: StoredEntry) => {
  const plain = (value?: AttributeValue) =>
    value?.N === undefined ? (value?.S ?? value) : JSON.rawJSON(value.N);
  return { petId: plain(petId), quantity: plain(quantity), status: plain(status) };
};

export const isSame = ({ quantity, status }: StoredEntry, entry: Entry): boolean =>
  quantity?.N === String(entry.quantity) && status?.S === entry.status;

/** Returns the entries with these petIds (at most 100) that exist, in any order. */
export const storedEntries = async (
  { client, TableName }: Table,
  petIds: string[],
): Promise<StoredEntry[]> => {
  const found: StoredEntry[] = [];
  let Keys: Record<string, AttributeValue>[] = petIds.map((petId) => ({ petId: { N: petId } }));
  const unprocessed = Object.assign(new Error('DynamoDB left keys unprocessed.'), {
    name: 'ThrottlingException',
  });
  const lookUp = async () => {
    const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await client.batchGetItem({ RequestItems });
    found.push(...((Responses?.[TableName] ?? []) as unknown as StoredEntry[]));
    Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (Keys.length > 0) {
      throw unprocessed;
    }
  };
  await retryThrottled(lookUp, (error) => error === unprocessed);
  return found;
};

export async function* scanEntries({ client, TableName }: Table): AsyncGenerator<StoredEntry[]> {
  for await (const { Items } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    yield Items as unknown as StoredEntry[];
  }
}

/**
 * Creates an entry, or replaces the one that was seen, unless the table holds something else by
 * now. An entry that is already as it should be counts as written, because this may be a retry
 * after a lost response.
 * @returns undefined if the entry is written; otherwise `now`, the entry that others have left
 * there, if any
 */
export const writeEntry = async (table: Table, entry: Entry, seen?: StoredEntry) => {
  const { client, TableName } = table;
  const Item = {
    petId: { N: entry.petId },
    quantity: { N: String(entry.quantity) },
    status: { S: entry.status },
  };
  const write = seen
    ? client.updateItem({
        TableName,
        Key: { petId: Item.petId },
        UpdateExpression: 'SET #quantity = :quantity, #status = :status',
        ...asSeen(columns, seen, { ':quantity': Item.quantity, ':status': Item.status }),
      })
    : client.putItem({ TableName, Item, ConditionExpression: 'attribute_not_exists(petId)' });
  if (await ifAsSeen<object>(write)) {
    return undefined;
  }
  const [now] = await storedEntries(table, [entry.petId]);
  return now && isSame(now, entry) ? undefined : { now };
};

/** Sets the status of an entry. Returns the whole updated entry, or undefined if there is none. */
export const setStatus = async ({ client, TableName }: Table, petId: string, status: PetStatus) => {
  const update = {
    TableName,
    Key: { petId: { N: petId } },
    ConditionExpression: 'attribute_exists(petId)',
    UpdateExpression: 'SET #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': { S: status } },
    ReturnValues: 'ALL_NEW',
  } as const;
  return (await ifAsSeen(client.updateItem(update)))?.Attributes as StoredEntry | undefined;
};

/** Removes the entry that was seen, unless it has changed since. Returns whether it is gone. */
export const removeEntry = async (table: Table, seen: StoredEntry): Promise<boolean> => {
  const removal = {
    TableName: table.TableName,
    Key: { petId: seen.petId },
    ...asSeen(columns, seen),
  };
  const removed = await ifAsSeen(table.client.deleteItem(removal));
  // The condition also fails in a retry, after a first try that removed the entry but whose
  // response was lost.
  return removed !== undefined || (await storedEntries(table, [seen.petId.N])).length === 0;
};
