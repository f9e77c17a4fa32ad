import {
  type AttributeValue,
  ConditionalCheckFailedException,
  paginateScan,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { createApiKey, hashApiKey, idOfApiKey } from '../../functions/keys/api-key.ts';
import type { Access, StoredKey } from '../../functions/keys/stored-key.ts';
import { CliError } from '../cli/errors.ts';
import type { Table } from '../stage/stage.ts';

interface Issue {
  stageName: string;
  name: string;
  /** `write` unless it is given. */
  access?: Access | undefined;
  /** In seconds. By default, the key works for ever, as with Infinity. */
  lifetime?: number | undefined;
}

export const idOf = ({ keyId }: StoredKey): string | null => keyId?.S ?? null;

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

const numeral = (seconds: number): AttributeValue => ({ N: String(seconds) });

/** Returns the seconds that an attribute holds, as the authorizer reads it; undefined if it has none. */
export const secondsIn = (attribute?: AttributeValue): number | undefined =>
  attribute?.N === undefined ? undefined : Number(attribute.N);

/** Stores a new key, and returns it. Nothing else holds the key itself. */
export const issueApiKey = async ({ client, TableName }: Table, issue: Issue) => {
  const { stageName, name, access = 'write', lifetime = Infinity } = issue;
  const apiKey = createApiKey(stageName);
  const now = epochSeconds();
  const stored: StoredKey = {
    keyHash: { S: hashApiKey(apiKey) },
    keyId: { S: idOfApiKey(apiKey) },
    access: { S: access },
    name: { S: name },
    createdAt: numeral(now),
    ...(lifetime !== Infinity && { expiresAt: numeral(now + lifetime) }),
  };
  await client.putItem({ TableName, Item: { ...stored } });
  return { apiKey, stored };
};

/** Returns every key ever issued, the oldest first. */
export const allKeys = async ({ client, TableName }: Table): Promise<StoredKey[]> => {
  const pages = await Array.fromAsync(
    paginateScan({ client }, { TableName, ConsistentRead: true }),
    ({ Items }) => Items as unknown as StoredKey[],
  );
  const issuedAt = ({ createdAt }: StoredKey): number => secondsIn(createdAt) ?? 0;
  return pages.flat().sort((a, b) => issuedAt(a) - issuedAt(b));
};

export const storedKey = (table: Table, apiKey: string): Promise<StoredKey | undefined> =>
  keyWithHash(table, { S: hashApiKey(apiKey) });

const keyWithHash = async (
  { client, TableName }: Table,
  keyHash: StoredKey['keyHash'],
): Promise<StoredKey | undefined> => {
  const { Item } = await client.getItem({ TableName, Key: { keyHash }, ConsistentRead: true });
  return Item as StoredKey | undefined;
};

/** Sets when a key expires; Infinity lets it work for ever. Returns the changed key. */
export const setExpiry = (table: Table, key: StoredKey, end: number): Promise<StoredKey> => {
  const set = {
    UpdateExpression: 'SET expiresAt = :end',
    ExpressionAttributeValues: { ':end': numeral(end) },
  };
  return change(table, key, end === Infinity ? { UpdateExpression: 'REMOVE expiresAt' } : set);
};

/** Revokes a key; one that was revoked before stays as it was. Returns it as it is then. */
export const revokeKey = (table: Table, key: StoredKey): Promise<StoredKey> =>
  change(table, key, {
    UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
    ExpressionAttributeValues: { ':now': numeral(epochSeconds()) },
  });

/**
 * Changes attributes of a key, and nothing else of it, so that no two changes undo each other.
 * Returns the key as it is then, changed or not.
 * @throws CliError if the table no longer holds it
 */
const change = async (
  table: Table,
  key: StoredKey,
  expressions: Partial<UpdateItemCommandInput>,
): Promise<StoredKey> => {
  const { keyHash } = key;
  try {
    const { Attributes } = await table.client.updateItem({
      TableName: table.TableName,
      Key: { keyHash },
      ConditionExpression: 'attribute_exists(keyHash)',
      ReturnValues: 'ALL_NEW',
      ...expressions,
    });
    return Attributes as unknown as StoredKey;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
  }
  // The condition also fails in a retry, after a first attempt whose response was lost.
  const stored = await keyWithHash(table, keyHash);
  if (stored === undefined) {
    throw new CliError(`Key ${idOf(key)} has just been removed from the table.`);
  }
  return stored;
};
