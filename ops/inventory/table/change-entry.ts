import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StoredItem } from '../../../functions/inventory/stored-item.ts';
import { asSeen, ifAsSeen } from '../../stage/conditional-change.ts';
import type { Table } from '../../stage/stage.ts';
import { columns, type Entry } from '../entries/check-entry.ts';
import { isSame, storedEntry } from './stored-entries.ts';

/**
 * Creates an entry, or replaces the one that was seen, unless the table holds something else by
 * now. An entry that is already as it should be counts as written, because this may be a retry
 * after a lost response.
 * @returns undefined if the entry is written; otherwise `now`, the entry that others have left
 * there, if any
 */
export const writeEntry = async (
  table: Table,
  entry: Entry,
  seen?: StoredItem,
): Promise<{ now: StoredItem | undefined } | undefined> => {
  const isWritten = await (seen ? replace(table, entry, seen) : create(table, entry));
  if (isWritten) {
    return undefined;
  }
  const now = await storedEntry(table, entry.petId);
  return now && isSame(now, entry) ? undefined : { now };
};

const itemOf = ({ petId, quantity, status }: Entry) => ({
  petId: { N: petId },
  quantity: { N: String(quantity) },
  status: { S: status },
});

/** Creates an entry unless there is one. Returns whether it did. */
const create = async ({ client, TableName }: Table, entry: Entry): Promise<boolean> => {
  const creation = {
    TableName,
    Item: itemOf(entry),
    ConditionExpression: 'attribute_not_exists(petId)',
  };
  return (await ifAsSeen(client.putItem(creation))) !== undefined;
};

/** Replaces the entry that was seen unless it has changed since. Returns whether it did. */
const replace = async (
  { client, TableName }: Table,
  entry: Entry,
  seen: StoredItem,
): Promise<boolean> => {
  const { petId, quantity, status } = itemOf(entry);
  const update = {
    TableName,
    Key: { petId },
    // An update keeps the attributes that somebody has added.
    UpdateExpression: 'SET #quantity = :quantity, #status = :status',
    ...asSeen(columns, seen, { ':quantity': quantity, ':status': status }),
  };
  return (await ifAsSeen(client.updateItem(update))) !== undefined;
};

/**
 * Sets one attribute of an entry. Returns the whole updated entry, or undefined if there is none.
 */
export const setAttribute = async (
  { client, TableName }: Table,
  petId: string,
  name: 'quantity' | 'status',
  value: AttributeValue,
): Promise<StoredItem | undefined> => {
  const update = {
    TableName,
    Key: { petId: { N: petId } },
    ConditionExpression: 'attribute_exists(petId)',
    UpdateExpression: 'SET #name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': value },
    ReturnValues: 'ALL_NEW',
  } as const;
  const updated = await ifAsSeen(client.updateItem(update));
  return updated?.Attributes as StoredItem | undefined;
};

/** Removes the entry that was seen, unless it has changed since. Returns whether it is gone. */
export const removeEntry = async (table: Table, seen: StoredItem): Promise<boolean> => {
  const removal = {
    TableName: table.TableName,
    Key: { petId: seen.petId },
    ...asSeen(columns, seen),
  };
  const removed = await ifAsSeen(table.client.deleteItem(removal));
  // The condition also fails in a retry, after a first try that removed the entry but whose
  // response was lost.
  return removed !== undefined || (await storedEntry(table, seen.petId.N)) === undefined;
};
