import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
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

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

const unlessConditionFailed = (error: unknown): undefined => {
  if (!(error instanceof ConditionalCheckFailedException)) {
    throw error;
  }
};

const documentsOf = ({ client }: Table) => DynamoDBDocumentClient.from(client);

/** Issues a key of the stage. The table keeps its hash; the key itself is nowhere but in what this returns. */
export const issueApiKey = async (
  table: Table,
  stageName: string,
  given: Pick<IssuedKey, 'name' | 'replaces' | 'unprinted'> & { expiresAt?: number | undefined },
): Promise<{ apiKey: string; record: IssuedKey }> => {
  const apiKey = createApiKey(stageName);
  const { expiresAt, ...others } = given;
  const record: IssuedKey = {
    keyHash: hashApiKey(apiKey),
    keyId: randomBytes(8).toString('hex'),
    createdAt: epochSeconds(),
    ...others,
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const put = { TableName: table.TableName, Item: record, ConditionExpression: 'attribute_not_exists(keyHash)' };
  await documentsOf(table)
    .send(new PutCommand(put))
    // Nobody else has these random bits: a first try, whose response was lost, has stored the key.
    .catch(unlessConditionFailed);
  return { apiKey, record };
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

type Attribute = keyof IssuedKey;

/**
 * Changes attributes of a key, or removes those given as undefined, if those in `unchanged` are still as they were
 * seen. Returns the key as it is then, or undefined if it was changed since.
 */
export const changeKey = async (
  table: Table,
  seen: IssuedKey,
  changes: { [Name in Attribute]?: IssuedKey[Name] | undefined },
  unchanged: Attribute[] = ['revokedAt', 'expiresAt', 'replacedBy'],
): Promise<IssuedKey | undefined> => {
  const changed = Object.keys(changes) as Attribute[];
  const set = changed.filter((name) => changes[name] !== undefined);
  const removed = changed.filter((name) => changes[name] === undefined);
  const given = unchanged.filter((name) => seen[name] !== undefined);
  const conditions = unchanged.map((name) =>
    given.includes(name) ? `#${name} = :seen_${name}` : `attribute_not_exists(#${name})`,
  );
  const update = new UpdateCommand({
    TableName: table.TableName,
    Key: { keyHash: seen.keyHash },
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.map((name) => `#${name} = :${name}`)}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`)}`] : []),
    ].join(' '),
    ConditionExpression: ['attribute_exists(keyHash)', ...conditions].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([...changed, ...unchanged].map((name) => [`#${name}`, name])),
    ...(set.length + given.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries([
        ...set.map((name) => [`:${name}`, changes[name]]),
        ...given.map((name) => [`:seen_${name}`, seen[name]]),
      ]),
    }),
    ReturnValues: 'ALL_NEW',
  });
  const updated = await documentsOf(table).send(update).catch(unlessConditionFailed);
  const key = (updated?.Attributes as IssuedKey | undefined) ?? (await storedKey(table, seen.keyHash));
  // A first try may have changed it, whose response was lost.
  return changed.every((name) => key?.[name] === changes[name]) ? key : undefined;
};

/** Revokes a key; one that is revoked already stays so since then. */
export const revokeKey = async (table: Table, key: IssuedKey): Promise<void> => {
  if (key.revokedAt === undefined) {
    await changeKey(table, key, { revokedAt: epochSeconds() }, ['revokedAt']);
  }
};
