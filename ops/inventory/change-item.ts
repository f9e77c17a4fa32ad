import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { asSeen, ifAsSeen } from '../stage/conditional-change.ts';
import type { Table } from '../stage/stage.ts';
import { columns } from './check-item.ts';
import { isSame, storedItem } from './stored-items.ts';

/**
 * Creates an item, or replaces the one that was seen, unless the table holds something else by now.
 * An item that is already as it should be counts as written, because this may be a retry after a
 * lost response.
 * @returns undefined if the item is written; otherwise `now`, the item that others have left there,
 * if any
 */
export const writeItem = async (
  table: Table,
  item: InventoryItem,
  seen?: StoredItem,
): Promise<{ now: StoredItem | undefined } | undefined> => {
  const isWritten = await (seen ? replace(table, item, seen) : create(table, item));
  if (isWritten) {
    return undefined;
  }
  const now = await storedItem(table, String(item.petId));
  return now && isSame(now, item) ? undefined : { now };
};

const attributesOf = ({ petId, quantity, status }: InventoryItem) => ({
  petId: { N: String(petId) },
  quantity: { N: String(quantity) },
  status: { S: status },
});

/** Creates an item unless there is one. Returns whether it did. */
const create = async ({ client, TableName }: Table, item: InventoryItem): Promise<boolean> => {
  const creation = {
    TableName,
    Item: attributesOf(item),
    ConditionExpression: 'attribute_not_exists(petId)',
  };
  return (await ifAsSeen(client.putItem(creation))) !== undefined;
};

/** Replaces the item that was seen unless it has changed since. Returns whether it did. */
const replace = async (
  { client, TableName }: Table,
  item: InventoryItem,
  seen: StoredItem,
): Promise<boolean> => {
  const { petId, quantity, status } = attributesOf(item);
  const update = {
    TableName,
    Key: { petId },
    // An update keeps the attributes that somebody has added.
    UpdateExpression: 'SET #quantity = :quantity, #status = :status',
    ...asSeen(columns, seen, { ':quantity': quantity, ':status': status }),
  };
  return (await ifAsSeen(client.updateItem(update))) !== undefined;
};

/** Sets one attribute of an item. Returns the whole updated item, or undefined if there is none. */
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

/** Removes the item that was seen, unless it has changed since. Returns whether it is gone. */
export const removeItem = async (table: Table, seen: StoredItem): Promise<boolean> => {
  const removal = {
    TableName: table.TableName,
    Key: { petId: seen.petId },
    ...asSeen(columns, seen),
  };
  const removed = await ifAsSeen(table.client.deleteItem(removal));
  // The condition also fails in a retry, after a first try that removed the item but whose response
  // was lost.
  return removed !== undefined || (await storedItem(table, seen.petId.N)) === undefined;
};
