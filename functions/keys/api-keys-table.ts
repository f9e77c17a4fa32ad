import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodbTime } from '../dynamodb/clock.ts';
import { client } from '../dynamodb/dynamodb-client.ts';

const TableName = process.env.API_KEYS_TABLE_NAME;

/**
 * What the table stores about every issued key, but not the key itself. Times are in epoch seconds.
 */
interface IssuedKey {
  /** SHA-256 of the key, in hex; the table's partition key. */
  keyHash: string;
  name: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** The record of a key that may read and write. */
export interface WritingKeyRecord extends IssuedKey {
  /** Identifies the key in logs and to operators, and reveals nothing of the key itself. */
  keyId: string;
  access?: 'write';
}

/**
 * The record of a key that may only read. Its id has another name, so that an authorizer of a
 * release that knows nothing of access denies it.
 */
export interface ReadOnlyKeyRecord extends IssuedKey {
  readOnlyKeyId: string;
  access: 'read';
}

export type ApiKeyRecord = WritingKeyRecord | ReadOnlyKeyRecord;

/** What a key may do. */
export type Access = 'read' | 'write';

/** What is told of a key that is allowed. */
export interface ActiveKey {
  keyId: string;
  access: Access;
}

type StoredRecord = Record<string, AttributeValue>;

/** Returns a key that is neither revoked nor expired; undefined for any other key. */
export const findActiveKey = async (
  keyHash: string,
  abortSignal: AbortSignal,
): Promise<ActiveKey | undefined> => {
  // Read consistently: API Gateway caches the result, and a key used right after its issue must not
  // stay rejected.
  const get = new GetItemCommand({
    TableName,
    Key: { keyHash: { S: keyHash } },
    ConsistentRead: true,
  });
  const { Item: record } = await client.send(get, { abortSignal });
  return record && isActive(record) ? keyOf(record) : undefined;
};

const isActive = ({ revokedAt, expiresAt }: StoredRecord): boolean => {
  const isRevoked = revokedAt !== undefined;
  // An expiry that is no number is not in the future.
  const hasTimeLeft = expiresAt === undefined || Number(expiresAt.N) > dynamodbTime() / 1000;
  return hasTimeLeft && !isRevoked;
};

/** Returns the key of a record, whose attributes may be missing or wrong. */
const keyOf = ({ access, keyId, readOnlyKeyId }: StoredRecord): ActiveKey | undefined => {
  if (access === undefined || access.S === 'write') {
    return keyId?.S === undefined ? undefined : { keyId: keyId.S, access: 'write' };
  }
  if (access.S === 'read') {
    return readOnlyKeyId?.S === undefined ? undefined : { keyId: readOnlyKeyId.S, access: 'read' };
  }
  return undefined;
};
