import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodbTime } from '../dynamodb/clock.ts';
import { documentClient } from '../dynamodb/document-client.ts';

const TableName = process.env.API_KEYS_TABLE_NAME;

/** What the table stores about an issued key, but not the key itself. Times are in epoch seconds. */
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
export const findActiveKeyId = async (keyHash: string, abortSignal: AbortSignal): Promise<string | undefined> => {
  // Read consistently: API Gateway caches the result, and a key used right after its issue must not stay rejected.
  const get = new GetCommand({ TableName, Key: { keyHash }, ConsistentRead: true });
  const { Item: { keyId, revokedAt, expiresAt } = {} } = await documentClient.send(get, { abortSignal });
  const active = !revokedAt && (!expiresAt || Number(expiresAt.value) > dynamodbTime() / 1000);
  return active && typeof keyId === 'string' ? keyId : undefined;
};
