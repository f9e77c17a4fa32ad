import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import type { ApiKeyRecord } from '../../functions/keys/api-keys-table.ts';
import type { Table } from '../stage/stage.ts';

/** What operators know of a key besides. */
export interface IssuedKey extends ApiKeyRecord {
  /** Of one that a rotation has given an earlier end: the seconds that it was to live; null for one without end. */
  lifetime?: number | null;
  /** The IDs of the key that this one was issued in place of, and of the one issued in place of this one. */
  replaces?: string;
  replacedBy?: string;
  /** Of one that a rotation has stored and not yet printed. */
  unprinted?: true;
}

type Changes = { [Name in keyof IssuedKey]?: IssuedKey[Name] | undefined };

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

const documentsOf = ({ client }: Table) => DynamoDBDocumentClient.from(client);

/** Issues a key of the stage. The table keeps its hash; the key itself is nowhere but in what this returns. */
export const issueApiKey = async (
  table: Table,
  stageName: string,
  { name, ...more }: { name: string } & Changes,
): Promise<{ apiKey: string; record: IssuedKey }> => {
  const apiKey = createApiKey(stageName);
  const keyId = randomBytes(8).toString('hex');
  const issued = { keyHash: hashApiKey(apiKey), keyId, name, createdAt: epochSeconds() };
  // Nobody else has these random bits.
  const record = (await put(table, { ...issued, ...more }, 'attribute_not_exists(keyHash)')) as IssuedKey;
  return { apiKey, record };
};

/** Stores a key, and returns it as stored, or undefined if the condition fails. */
const put = async (table: Table, changed: Changes, ConditionExpression: string, more = {}) => {
  const Item = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  const command = new PutCommand({ TableName: table.TableName, Item, ConditionExpression, ...more });
  try {
    await documentsOf(table).send(command);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
    // It also fails where a first try has stored the key and its response was lost.
    if (!isDeepStrictEqual(await storedKey(table, Item.keyHash as string), Item)) {
      return undefined;
    }
  }
  return Item as unknown as IssuedKey;
};

/** Every key ever issued, the oldest first. */
export const issuedKeys = async (table: Table): Promise<IssuedKey[]> => {
  const records: IssuedKey[] = [];
  const scan = { TableName: table.TableName, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: documentsOf(table) }, scan)) {
    records.push(...(Items as IssuedKey[]));
  }
  return records.sort((a, b) => a.createdAt - b.createdAt || (a.keyId < b.keyId ? -1 : 1));
};

/** The record with this hash of a key, if there is one. */
export const storedKey = async (table: Table, keyHash: string): Promise<IssuedKey | undefined> => {
  const get = new GetCommand({ TableName: table.TableName, Key: { keyHash }, ConsistentRead: true });
  return (await documentsOf(table).send(get)).Item as IssuedKey | undefined;
};

const changeable = ['name', 'expiresAt', 'revokedAt', 'replacedBy', 'unprinted'] as const;

/**
 * Changes attributes of a key, or removes those given as undefined. Returns it as it is then, or undefined if it is not
 * as it was seen any more; then nothing was changed.
 */
export const changeKey = (table: Table, seen: IssuedKey, changes: Changes): Promise<IssuedKey | undefined> => {
  const conditions = changeable.map((name) =>
    seen[name] === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}`,
  );
  const known = changeable.filter((name) => seen[name] !== undefined);
  return put(table, { ...seen, ...changes }, conditions.join(' AND '), {
    ExpressionAttributeNames: Object.fromEntries(changeable.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(known.map((name) => [`:${name}`, seen[name]])),
  });
};

/** Revokes a key, whatever else becomes of it meanwhile, and returns it as it is then. */
export const revokeKey = async (table: Table, key: IssuedKey): Promise<IssuedKey> => {
  if (key.revokedAt !== undefined) {
    return key;
  }
  const revoked = await changeKey(table, key, { revokedAt: epochSeconds() });
  const now = revoked ?? (await storedKey(table, key.keyHash));
  return now ? revokeKey(table, now) : key;
};
