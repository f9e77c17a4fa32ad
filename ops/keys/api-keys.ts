import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument, paginateScan, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import type { Access } from '../../functions/keys/api-keys-table.ts';
import { CliError } from '../cli/errors.ts';
import type { Table } from '../stage/stage.ts';

/** A key as the table holds it: not the key itself, but its hash. Times are in epoch seconds. */
export interface StoredKey {
  keyHash: string;
  /** The ID of a key that may write. */
  keyId?: string;
  /** The ID of a key that may only read. The authorizer of an earlier version denies it. */
  readOnlyKeyId?: string;
  access?: Access;
  name: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
  /** The ID of the key that this one was issued to replace. */
  replaces?: string;
}

interface Issue {
  stageName: string;
  name: string;
  /** `write` unless it is given. */
  access?: Access | undefined;
  /** In epoch seconds. By default, the key works for ever, as with Infinity. */
  expiresAt?: number | undefined;
  /** The ID of the key that it replaces. */
  replaces?: string;
  /** The key to store; a new one unless it is given. */
  apiKey?: string;
}

const documents = ({ client }: Table): DynamoDBDocument => DynamoDBDocument.from(client);

export const idOf = ({ keyId, readOnlyKeyId }: StoredKey): string | null =>
  keyId ?? readOnlyKeyId ?? null;

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** Stores a key, and returns it. Nothing else holds the key itself. */
export const issueApiKey = async (table: Table, issue: Issue) => {
  const { stageName, name, access = 'write', apiKey = createApiKey(stageName) } = issue;
  const { expiresAt = Infinity, replaces } = issue;
  const id = randomBytes(8).toString('hex');
  const stored: StoredKey = {
    keyHash: hashApiKey(apiKey),
    ...(access === 'read' ? { readOnlyKeyId: id, access } : { keyId: id }),
    name,
    createdAt: epochSeconds(),
    ...(expiresAt !== Infinity && { expiresAt }),
    ...(replaces !== undefined && { replaces }),
  };
  await documents(table).put({ TableName: table.TableName, Item: stored });
  return { apiKey, stored };
};

/** Returns every key ever issued, the oldest first. */
export const allKeys = async (table: Table): Promise<StoredKey[]> => {
  const scan = { TableName: table.TableName, ConsistentRead: true };
  const pages = await Array.fromAsync(
    paginateScan({ client: documents(table) }, scan),
    ({ Items = [] }) => Items as StoredKey[],
  );
  return pages.flat().sort((a, b) => a.createdAt - b.createdAt);
};

export const storedKey = (table: Table, apiKey: string): Promise<StoredKey | undefined> =>
  keyWithHash(table, hashApiKey(apiKey));

const keyWithHash = async (table: Table, keyHash: string): Promise<StoredKey | undefined> => {
  const get = { TableName: table.TableName, Key: { keyHash }, ConsistentRead: true };
  return (await documents(table).get(get)).Item as StoredKey | undefined;
};

/** Renames a key. Returns the changed key. */
export const renameKey = (table: Table, key: StoredKey, name: string): Promise<StoredKey> =>
  change(table, key, {
    UpdateExpression: 'SET #name = :name',
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: { ':name': name },
  });

/** Sets when a key expires; Infinity lets it work for ever. Returns the changed key. */
export const setExpiry = (table: Table, key: StoredKey, end: number): Promise<StoredKey> => {
  const set = {
    UpdateExpression: 'SET expiresAt = :end',
    ExpressionAttributeValues: { ':end': end },
  };
  return change(table, key, end === Infinity ? { UpdateExpression: 'REMOVE expiresAt' } : set);
};

/** Revokes a key; one that was revoked before stays as it was. Returns it as it is then. */
export const revokeKey = (table: Table, key: StoredKey): Promise<StoredKey> =>
  change(table, key, {
    UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
    ExpressionAttributeValues: { ':now': epochSeconds() },
  });

/** Lets a key expire at this time, unless it does so before. Returns it as it is then. */
export const endKeyBy = (table: Table, key: StoredKey, end: number): Promise<StoredKey> =>
  change(table, key, {
    UpdateExpression: 'SET expiresAt = :end',
    ConditionExpression: `${exists} AND (attribute_not_exists(expiresAt) OR expiresAt > :end)`,
    ExpressionAttributeValues: { ':end': end },
  });

const exists = 'attribute_exists(keyHash)';

/**
 * Changes attributes of a key, and nothing else of it, so that no two changes undo each other.
 * Returns the key as it is then, changed or not.
 * @throws CliError if the table no longer holds it
 */
const change = async (
  table: Table,
  key: StoredKey,
  expressions: Partial<UpdateCommandInput>,
): Promise<StoredKey> => {
  const { keyHash } = key;
  try {
    const { Attributes } = await documents(table).update({
      TableName: table.TableName,
      Key: { keyHash },
      ConditionExpression: exists,
      ReturnValues: 'ALL_NEW',
      ...expressions,
    });
    return Attributes as StoredKey;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
  }
  // The condition also fails in a retry, after a first attempt whose response was lost.
  const stored = await keyWithHash(table, keyHash);
  if (stored === undefined) {
    throw new CliError(`Key ${idOf(key)} was removed from the table just now.`);
  }
  return stored;
};
