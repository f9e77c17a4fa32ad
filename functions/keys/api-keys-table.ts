import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { client } from '../dynamodb/dynamodb-client.ts';
import { dynamodbTime } from '../dynamodb/signature.ts';

const TableName = process.env.API_KEYS_TABLE_NAME;

/** What a key may do. */
export type Access = 'read' | 'write';

/** What is told of a key that is allowed. */
export interface ActiveKey {
  keyId: string;
  access: Access;
}

type StoredKey = Record<string, AttributeValue>;

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
  const { Item: stored } = await client.send(get, { abortSignal });
  return stored && isActive(stored) ? keyOf(stored) : undefined;
};

const isActive = ({ revokedAt, expiresAt }: StoredKey): boolean => {
  const isRevoked = revokedAt !== undefined;
  // An expiry that is no number is not in the future.
  const hasTimeLeft = expiresAt === undefined || Number(expiresAt.N) > dynamodbTime() / 1000;
  return hasTimeLeft && !isRevoked;
};

/**
 * Returns what is told of a stored key, whose attributes may be missing or wrong. The id of a key
 * that may only read has another name, so that an authorizer that knows nothing of access denies it.
 */
const keyOf = ({ access, keyId, readOnlyKeyId }: StoredKey): ActiveKey | undefined => {
  if (access === undefined || access.S === 'write') {
    return keyId?.S === undefined ? undefined : { keyId: keyId.S, access: 'write' };
  }
  if (access.S === 'read') {
    return readOnlyKeyId?.S === undefined ? undefined : { keyId: readOnlyKeyId.S, access: 'read' };
  }
  return undefined;
};
