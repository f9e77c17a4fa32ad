import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodbTime } from '../dynamodb/clock.ts';
import { client } from '../dynamodb/dynamodb-client.ts';

const TableName = process.env.API_KEYS_TABLE_NAME;

/**
 * What the table stores about an issued key, but not the key itself. Times are in epoch seconds.
 */
export interface ApiKeyRecord {
  /** SHA-256 of the key, in hex; the table's partition key. */
  keyHash: string;
  /** Identifies the key in logs and to operators, and reveals nothing of the key itself. */
  keyId: string;
  name: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** Returns the keyId of a key that is neither revoked nor expired; undefined for any other key. */
export const findActiveKeyId = async (
  keyHash: string,
  abortSignal: AbortSignal,
): Promise<string | undefined> => {
  // Read consistently: API Gateway caches the result, and a key used right after its issue must not
  // stay rejected.
  const get = new GetItemCommand({
    TableName,
    Key: { keyHash: { S: keyHash } },
    ConsistentRead: true,
  });
  const { Item: record } = await client.send(get, { abortSignal });
  if (record === undefined) {
    return undefined;
  }
  const { keyId, revokedAt, expiresAt } = record;
  const isRevoked = revokedAt !== undefined;
  // An expiry that is no number is not in the future.
  const hasTimeLeft = expiresAt === undefined || Number(expiresAt.N) > dynamodbTime() / 1000;
  return hasTimeLeft && !isRevoked ? keyId?.S : undefined;
};
