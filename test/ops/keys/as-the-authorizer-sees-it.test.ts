import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { setEnvironment } from '../../support/functions/functions.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, json } = localKeys();

const [past, future] = [1_700_000_000, 32_000_000_000];
const write = { keyId: 'w' };
const read = { readOnlyKeyId: 'r', access: 'read' };

/** Records by their hash, as commands, earlier versions and hands may have written them. */
const records: Record<string, object> = {
  'a key of today': write,
  'a key that may write': { ...write, access: 'write' },
  'a read-only key': read,
  'a key with an end': { ...write, expiresAt: future },
  'an expired key': { ...write, expiresAt: past },
  'an expired read-only key': { ...read, expiresAt: past },
  'a key whose end is text': { ...write, expiresAt: String(future) },
  'a key whose end is null': { ...write, expiresAt: null },
  'a revoked key': { ...write, revokedAt: past },
  'a key revoked without a time': { ...write, revokedAt: null },
  'a key with both ids': { ...write, ...read },
  'a read-only key with the id of another': { ...write, access: 'read' },
  'a read-only key without its access': { readOnlyKeyId: 'r' },
  'a read-only key that was to write': { ...read, access: 'write' },
  'an unknown access': { ...write, access: 'admin' },
  'an access that is null': { ...write, access: null },
  'no id': {},
  'an id that is a number': { keyId: 7 },
};

test('list shows what the authorizer grants each key', async () => {
  const { client, TableName } = stage.apiKeys();
  const documents = DynamoDBDocument.from(client);
  for (const [keyHash, record] of Object.entries(records)) {
    await documents.put({
      TableName,
      Item: { keyHash, name: keyHash, createdAt: past, ...record },
    });
  }
  const shown: { name: string; state: string; access: string }[] = await json('list');
  const listed = shown.map(({ name, state, access }) => [name, state === 'active' ? access : 'no']);

  const endpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';
  setEnvironment({
    API_KEYS_TABLE_NAME: TableName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    // DynamoDB Local has tables of their own for each region.
    AWS_REGION: 'us-east-1',
  });
  const { findActiveKey } = await import('../../../functions/keys/api-keys-table.ts');
  const granted = Object.keys(records).map(async (keyHash) => {
    const key = await findActiveKey(keyHash, new AbortController().signal);
    return [keyHash, key?.access ?? 'no'];
  });
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(await Promise.all(granted)));
});
