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

/** The record of a key that is neither revoked nor expired, if there is one. */
export const findActiveApiKey = async (
  keyHash: string,
  abortSignal: AbortSignal,
): Promise<ApiKeyRecord | undefined> => {
  // Consistent, because the answer is cached: a key used as soon as it is issued must not stay refused.
  const get = new GetCommand({ TableName, Key: { keyHash }, ConsistentRead: true });
  const { Item } = await documentClient.send(get, { abortSignal });
  const record = Item as ApiKeyRecord | undefined;
  const expired = record?.expiresAt !== undefined && record.expiresAt <= dynamodbTime() / 1000;
  return record?.revokedAt !== undefined || expired ? undefined : record;
};
