import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { client } from '../dynamodb/dynamodb-client.ts';
import { variable } from '../shared/environment.ts';
import type { StoredKey } from './stored-key.ts';

const TableName = variable('API_KEYS_TABLE_NAME');

/** Returns the key with this hash; undefined if it was never issued. */
export const findStoredKey = async (
  keyHash: string,
  abortSignal: AbortSignal,
): Promise<StoredKey | undefined> => {
  // Read consistently: API Gateway caches the result, and a key used right after its issue must not
  // stay rejected.
  const get = new GetItemCommand({
    TableName,
    Key: { keyHash: { S: keyHash } },
    ConsistentRead: true,
  });
  const { Item } = await client.send(get, { abortSignal });
  return Item as StoredKey | undefined;
};
