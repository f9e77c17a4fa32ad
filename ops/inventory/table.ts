import {
  type AttributeValue,
  ConditionalCheckFailedException,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import type { Table } from '../stage/stage.ts';

/** Yields all items, in the table's own order, one page of DynamoDB's at a time. */
export async function* scanItems({ client, TableName }: Table): AsyncGenerator<StoredItem[]> {
  for await (const { Items } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    yield Items as unknown as StoredItem[];
  }
}

/** Returns the items with these petIds (at most 100) that exist, in any order. */
export const storedItems = async (
  { client, TableName }: Table,
  petIds: string[],
): Promise<StoredItem[]> => {
  const found: StoredItem[] = [];
  let Keys: Record<string, AttributeValue>[] = petIds.map((petId) => ({ petId: { N: petId } }));
  while (Keys.length > 0) {
    const { Responses, UnprocessedKeys } = await client.batchGetItem({
      RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
    });
    found.push(...((Responses?.[TableName] ?? []) as unknown as StoredItem[]));
    Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
  }
  return found;
};

/**
 * Creates an item, or replaces the one that was seen. Returns whether it did: not if the table holds
 * something else by now.
 */
export const writeItem = async (
  { client, TableName }: Table,
  { petId, quantity, status }: InventoryItem,
  seen?: StoredItem,
): Promise<boolean> => {
  const asSeen = {
    ...(seen?.quantity && { ':seenQuantity': seen.quantity }),
    ...(seen?.status && { ':seenStatus': seen.status }),
  };
  const conditions = [seen ? 'attribute_exists(petId)' : 'attribute_not_exists(petId)'];
  if (seen?.quantity) {
    conditions.push('#quantity = :seenQuantity');
  }
  if (seen?.status) {
    conditions.push('#status = :seenStatus');
  }
  const update = client.updateItem({
    TableName,
    Key: { petId: { N: String(petId) } },
    UpdateExpression: 'SET #quantity = :quantity, #status = :status',
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { '#quantity': 'quantity', '#status': 'status' },
    ExpressionAttributeValues: {
      ':quantity': { N: String(quantity) },
      ':status': { S: status },
      ...asSeen,
    },
  });
  return ifPossible(update);
};

/** Waits for a conditional change. Returns whether its condition held. */
export const ifPossible = (change: Promise<unknown>): Promise<boolean> =>
  change.then(
    () => true,
    (error) => {
      if (error instanceof ConditionalCheckFailedException) {
        return false;
      }
      throw error;
    },
  );
