import { randomBytes } from 'node:crypto';
import { DynamoDBDocumentClient, PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import type { ApiKeyRecord } from '../../functions/keys/api-keys-table.ts';
import { CliError } from '../cli/cli-error.ts';
import type { Table } from '../stage/stage.ts';

/** What operators know of a key besides. */
export interface IssuedKey extends ApiKeyRecord {
  /** Of one that a rotation has given an earlier end: the seconds that it was to live; null for one without end. */
  lifetime?: number | null;
}

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

const documentsOf = ({ client }: Table) => DynamoDBDocumentClient.from(client);

/** Issues a key of the stage. The table keeps its hash; the key itself is nowhere but in the answer. */
export const issueApiKey = async (
  table: Table,
  stageName: string,
  { name, expiresAt }: Pick<ApiKeyRecord, 'name' | 'expiresAt'>,
): Promise<{ apiKey: string; record: ApiKeyRecord }> => {
  const apiKey = createApiKey(stageName);
  const record: ApiKeyRecord = {
    keyHash: hashApiKey(apiKey),
    keyId: randomBytes(8).toString('hex'),
    name,
    createdAt: epochSeconds(),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const put = { TableName: table.TableName, Item: record, ConditionExpression: 'attribute_not_exists(keyHash)' };
  await documentsOf(table).send(new PutCommand(put));
  return { apiKey, record };
};

/** Every key ever issued, the oldest first. */
export const issuedKeys = async (table: Table): Promise<IssuedKey[]> => {
  const records: IssuedKey[] = [];
  const { TableName } = table;
  for await (const { Items = [] } of paginateScan(
    { client: documentsOf(table) },
    { TableName, ConsistentRead: true },
  )) {
    records.push(...(Items as IssuedKey[]));
  }
  return records.sort((a, b) => a.createdAt - b.createdAt || (a.keyId < b.keyId ? -1 : 1));
};

/**
 * The key with an ID, by a scan: the table is small, and only its authorizer must be fast.
 * @throws CliError
 */
export const findIssuedKey = async (table: Table, keyId: string): Promise<IssuedKey> => {
  const record = (await issuedKeys(table)).find((key) => key.keyId === keyId);
  if (!record) {
    // The ID is not repeated: it could be a key, given by mistake.
    throw new CliError('not_found', 'No key has this ID. The IDs are in: npx petstore keys list');
  }
  return record;
};

/** Ends a key at once or, for one that is rotated, later. Never moves an end that is earlier. */
export const endKey = async (
  table: Table,
  { keyHash }: ApiKeyRecord,
  end: { revokedAt: number } | { expiresAt: number; lifetime?: number | null },
): Promise<void> => {
  const attribute = 'revokedAt' in end ? 'revokedAt' : 'expiresAt';
  const update = new UpdateCommand({
    TableName: table.TableName,
    Key: { keyHash },
    UpdateExpression: `SET ${Object.keys(end).map((name) => `${name} = :${name}`)}`,
    ConditionExpression: `attribute_exists(keyHash) AND (attribute_not_exists(${attribute}) OR ${attribute} > :${attribute})`,
    ExpressionAttributeValues: Object.fromEntries(Object.entries(end).map(([name, value]) => [`:${name}`, value])),
  });
  await documentsOf(table)
    .send(update)
    .catch((error: Error) => {
      if (error.name !== 'ConditionalCheckFailedException') {
        throw error;
      }
    });
};
