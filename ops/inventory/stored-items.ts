import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { CliError } from '../cli/cli-error.ts';
import { retryThrottled } from '../stage/client-settings.ts';
import type { Table } from '../stage/stage.ts';

/** Returns a stored item as a value for JSON, with every digit that the table holds. */
export const plainItem = ({ petId, quantity, status }: StoredItem) => ({
  petId: plain(petId),
  quantity: plain(quantity),
  status: plain(status),
});

/** Returns a number or a string as itself, and anything else as DynamoDB describes it. */
const plain = (attribute?: AttributeValue) => {
  if (attribute?.N !== undefined) {
    return JSON.rawJSON(attribute.N);
  }
  return attribute?.S ?? attribute;
};

export const isSame = ({ quantity, status }: StoredItem, item: InventoryItem): boolean =>
  quantity?.N === String(item.quantity) && status?.S === item.status;

/** Returns the items with these petIds (at most 100) that exist, in any order. */
export const storedItems = async (
  { client, TableName }: Table,
  petIds: string[],
): Promise<StoredItem[]> => {
  const found: StoredItem[] = [];
  let Keys: Record<string, AttributeValue>[] = petIds.map((petId) => ({ petId: { N: petId } }));
  const unprocessed = Object.assign(new Error('DynamoDB left keys unprocessed.'), {
    name: 'ThrottlingException',
  });
  const lookUp = async () => {
    const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await client.batchGetItem({ RequestItems });
    found.push(...((Responses?.[TableName] ?? []) as unknown as StoredItem[]));
    Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (Keys.length > 0) {
      throw unprocessed;
    }
  };
  await retryThrottled(lookUp, (error) => error === unprocessed);
  return found;
};

/** Returns the item with this petId, if there is one. */
export const storedItem = async (table: Table, petId: string): Promise<StoredItem | undefined> => {
  const [found] = await storedItems(table, [petId]);
  return found;
};

/** The error of a command whose petId no item has. */
export const notFound = (petId: string): CliError =>
  new CliError('not_found', `No entry has the petId ${petId}.`);

/** Yields all items, in the table's own order, one page of DynamoDB's at a time. */
export async function* scanItems({ client, TableName }: Table): AsyncGenerator<StoredItem[]> {
  for await (const { Items } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    yield Items as unknown as StoredItem[];
  }
}
