import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodbTime } from '../dynamodb/clock.ts';
import { documentClient } from '../dynamodb/document-client.ts';

const TableName = process.env.API_KEYS_TABLE_NAME;

/** An issued key, without the key. Times are in epoch seconds. */
export interface ApiKeyRecord {
  /** SHA-256 of the key, in hex; the table's partition key. */
  keyHash: string;
  /** Names the key in logs and to operators; tells nothing of the key. */
  keyId: string;
  name: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** The keyId of a key that is neither revoked nor expired; undefined of any other. */
export const findActiveKeyId = async (keyHash: string, abortSignal: AbortSignal): Promise<string | undefined> => {
  // Consistent, because the result is cached: a key used as soon as it is issued must not stay rejected.
  const get = new GetCommand({ TableName, Key: { keyHash }, ConsistentRead: true });
  const { Item: { keyId, revokedAt, expiresAt } = {} } = await documentClient.send(get, { abortSignal });
  const active = !revokedAt && (!expiresAt || Number(expiresAt.value) > dynamodbTime() / 1000);
  return active && typeof keyId === 'string' ? keyId : undefined;
};
