import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBDocument, NumberValue, paginateScan } from '@aws-sdk/lib-dynamodb';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import type { Access } from '../../functions/keys/api-keys-table.ts';
import { asSeen, ifAsSeen } from '../stage/conditional-change.ts';
import type { Table } from '../stage/stage.ts';

/**
 * A stored key, with the attributes that only operators use. Times are in epoch seconds. A record
 * that somebody wrote by hand may lack any of them, or have values of other types.
 */
export interface IssuedKey {
  keyHash: string;
  /** The ID of a key that may write. */
  keyId?: string;
  /**
   * The ID of a key that may only read. It has no `keyId`, so that a service which knows nothing of
   * access denies it.
   */
  readOnlyKeyId?: string;
  access?: Access;
  name: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
  /** The ID of the key that this one was issued to replace. */
  replaces?: string;
}

/** A new key. Nothing else holds the key itself: the table keeps its hash. */
export type NewKey = { apiKey: string; record: IssuedKey };

/** Attributes to change; undefined removes one. */
type Changes = { [Name in keyof IssuedKey]?: IssuedKey[Name] | undefined };

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** Keeps every digit of a number that JavaScript would round, which only a manual write leaves. */
const exactNumber = (digits: string): number | NumberValue =>
  String(Number(digits)) === digits ? Number(digits) : NumberValue.from(digits);

const documentsOf = ({ client }: Table): DynamoDBDocument =>
  DynamoDBDocument.from(client, { unmarshallOptions: { wrapNumbers: exactNumber } });

interface Issue {
  stageName: string;
  name: string;
  /** `write` unless it is given. */
  access?: Access;
  expiresAt?: number | undefined;
  replaces?: string | undefined;
  /** The key to store; a new one unless it is given. */
  apiKey?: string | undefined;
}

/** Stores a key, and returns it. */
export const issueApiKey = async (table: Table, issue: Issue): Promise<NewKey> => {
  const { stageName, access = 'write', apiKey = createApiKey(stageName), ...attributes } = issue;
  const id = randomBytes(8).toString('hex');
  const identity = access === 'read' ? { readOnlyKeyId: id, access } : { keyId: id };
  const keyHash = hashApiKey(apiKey);
  const changes = { keyHash, ...identity, createdAt: epochSeconds(), ...attributes };
  // Never undefined, because no other key has these random bits.
  const record = (await changeKey(table, {}, changes)) as IssuedKey;
  return { apiKey, record };
};

/** Returns every key ever issued, the oldest first. */
export const issuedKeys = async (table: Table): Promise<IssuedKey[]> => {
  const scan = paginateScan(
    { client: documentsOf(table) },
    { TableName: table.TableName, ConsistentRead: true },
  );
  const pages = await Array.fromAsync(scan, ({ Items = [] }) => Items as IssuedKey[]);
  return pages.flat().sort(byAge);
};

const byAge = (a: IssuedKey, b: IssuedKey): number =>
  ageOf(a) - ageOf(b) || (String(idOf(a)) < String(idOf(b)) ? -1 : 1);

/** A key without a time of issue counts as the oldest. */
const ageOf = ({ createdAt }: IssuedKey): number =>
  typeof createdAt === 'number' ? createdAt : -1;

/** Returns the ID that operators use, of any type if the record was written by hand. */
export const idOf = ({ keyId, readOnlyKeyId }: IssuedKey): string | undefined =>
  keyId ?? readOnlyKeyId;

export const storedKey = async (table: Table, keyHash: string): Promise<IssuedKey | undefined> => {
  const key = { TableName: table.TableName, Key: { keyHash }, ConsistentRead: true };
  return (await documentsOf(table).get(key)).Item as IssuedKey | undefined;
};

/** What a change must find as it was seen, so that it undoes nothing that others have done. */
const guarded = ['keyId', 'readOnlyKeyId', 'access', 'name', 'expiresAt', 'revokedAt'] as const;

/**
 * Changes attributes of a key, or removes those given as undefined. `seen` is the key as it was
 * read, {} for a new one. Returns the changed key, or undefined if the key is no longer as it was
 * seen; then nothing was changed.
 */
export const changeKey = async (
  table: Table,
  seen: Partial<IssuedKey>,
  changes: Changes,
): Promise<IssuedKey | undefined> => {
  const changed = Object.entries({ ...seen, ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  const Item = Object.fromEntries(changed) as unknown as IssuedKey;
  const put = { TableName: table.TableName, Item, ...asSeen(guarded, seen) };
  if (await ifAsSeen(documentsOf(table).put(put))) {
    return Item;
  }
  // The condition also fails in a retry, after a first try that stored the key but whose response
  // was lost.
  return isDeepStrictEqual(await storedKey(table, Item.keyHash), Item) ? Item : undefined;
};

/**
 * Revokes a key, even if others change it at the same time. Returns it as it is then, or undefined
 * if the table no longer holds it.
 */
export const revokeKey = async (table: Table, key: IssuedKey): Promise<IssuedKey | undefined> => {
  if (key.revokedAt !== undefined) {
    return key;
  }
  const revoked = await changeKey(table, key, { revokedAt: epochSeconds() });
  if (revoked) {
    return revoked;
  }
  const now = await storedKey(table, key.keyHash);
  return now && revokeKey(table, now);
};
