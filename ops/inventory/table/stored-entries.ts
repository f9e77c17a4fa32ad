import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import type { StoredItem } from '../../../functions/inventory/stored-item.ts';
import { retryThrottled } from '../../stage/client-settings.ts';
import type { Table } from '../../stage/stage.ts';
import type { Entry } from '../entries/check-entry.ts';

/** The most entries that one BatchGetItem request may look up. */
export const lookUpSize = 100;

/** Returns a stored entry for toJson, with every digit that the table holds. */
export const printable = ({ petId, quantity, status }: StoredItem) => ({
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

export const isSame = ({ quantity, status }: StoredItem, entry: Entry): boolean =>
  quantity?.N === String(entry.quantity) && status?.S === entry.status;

/** Returns the entries with these petIds (at most 100) that exist, in any order. */
export const storedEntries = async (
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

/** Returns the entry with this petId, if there is one. */
export const storedEntry = async (table: Table, petId: string): Promise<StoredItem | undefined> => {
  const [found] = await storedEntries(table, [petId]);
  return found;
};

/** Yields all entries, in the table's own order, one page of DynamoDB's at a time. */
export async function* scanEntries({ client, TableName }: Table): AsyncGenerator<StoredItem[]> {
  for await (const { Items } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    yield Items as unknown as StoredItem[];
  }
}
