import type { ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { PetStatus } from '../../../functions/inventory/item.ts';
import type { StoredItem } from '../../../functions/inventory/stored-item.ts';
import type { Table } from '../../stage/stage.ts';

const withStatus = (status: PetStatus): Partial<ScanCommandInput> => ({
  FilterExpression: '#status = :status',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':status': { S: status } },
});

/** More entries than a page of DynamoDB's can hold. */
const longestPage = 100_000;

/**
 * Returns as many entries as are wanted, if there are so many, in the table's own order, and
 * whether there are more. It reads no more than it needs, or with a status at most twice as much.
 */
export const listEntries = async (
  { client, TableName }: Table,
  wanted: number,
  status?: PetStatus,
): Promise<{ entries: StoredItem[]; hasMore: boolean }> => {
  const filter = status === undefined ? {} : withStatus(status);
  const found: StoredItem[] = [];
  // One more entry tells whether there are more.
  let Limit = wanted + 1;
  let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await client.scan({
      TableName,
      ConsistentRead: true,
      Limit,
      ExclusiveStartKey,
      ...filter,
    });
    found.push(...(Items as unknown as StoredItem[]));
    ExclusiveStartKey = LastEvaluatedKey;
    // Only few may have the status.
    Limit = status === undefined ? wanted + 1 - found.length : Math.min(2 * Limit, longestPage);
  } while (ExclusiveStartKey && found.length <= wanted);
  return { entries: found.slice(0, wanted), hasMore: found.length > wanted };
};
