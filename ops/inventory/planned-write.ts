import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { InventoryItem } from '../../functions/inventory/inventory-item.ts';
import { patiently } from '../patiently.ts';
import type { Table } from '../stage/stage.ts';
import { type Existing, existingEntry } from './existing-entries.ts';

/** An entry to be written, as decided when the table was read. */
export interface PlannedWrite {
  line: number;
  item: InventoryItem;
  /** What it replaces; without it, the entry is new. */
  seen?: Existing;
}

/** What is in the table once a write was tried: the entry, or what someone else has put (or left) there. */
export type Written = { by: 'us' } | { by: 'others'; now: Existing | undefined };

/**
 * Writes what was planned, if the table is still as it was seen. An entry that is there already, just as planned,
 * counts as written: this may be a second try, after an answer that was lost or a crash.
 */
export const write = async (table: Table, { item, seen }: PlannedWrite): Promise<Written> => {
  try {
    await patiently(() => (seen ? replace(table, item, seen) : create(table, item)));
    return { by: 'us' };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
  }
  const now = await existingEntry(table, item.petId);
  return isSame(now, item) ? { by: 'us' } : { by: 'others', now };
};

export const isSame = (existing: Existing | undefined, { quantity, status }: InventoryItem): boolean =>
  existing?.quantity?.N === String(quantity) && existing.status?.S === status;

const attributesOf = ({ petId, quantity, status }: InventoryItem) => ({
  petId: { N: String(petId) },
  quantity: { N: String(quantity) },
  status: { S: status },
});

const create = ({ client, TableName }: Table, item: InventoryItem) =>
  client.send(
    new PutItemCommand({ TableName, Item: attributesOf(item), ConditionExpression: 'attribute_not_exists(petId)' }),
  );

const replace = ({ client, TableName }: Table, item: InventoryItem, seen: Existing) => {
  const { petId, quantity, status } = attributesOf(item);
  const { condition, values } = unchanged(seen);
  const update = new UpdateItemCommand({
    TableName,
    Key: { petId },
    UpdateExpression: 'SET quantity = :quantity, #status = :status',
    ConditionExpression: condition,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':quantity': quantity, ':status': status, ...values },
  });
  return client.send(update);
};

/** A condition that holds as long as nobody has changed the entry; it names the status #status. */
export const unchanged = ({ quantity, status }: Existing) => {
  const values: Record<string, AttributeValue> = {
    ...(quantity && { ':seenQuantity': quantity }),
    ...(status && { ':seenStatus': status }),
  };
  const conditions = [
    'attribute_exists(petId)',
    quantity ? 'quantity = :seenQuantity' : 'attribute_not_exists(quantity)',
    status ? '#status = :seenStatus' : 'attribute_not_exists(#status)',
  ];
  return { condition: conditions.join(' AND '), values };
};
