import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument, NumberValue } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { IssuedKey } from '../../../ops/keys/issued-keys.ts';
import { keySummary } from '../../../ops/keys/key-summary.ts';
import { setEnvironment } from '../../support/functions/functions.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, keys, json } = localKeys();

afterEach(() => void jest.restoreAllMocks());

/** Stores a record as it is. */
const put = async (Item: Record<string, AttributeValue>): Promise<void> => {
  const { client, TableName } = stage.apiKeys();
  await client.putItem({ TableName, Item });
};

const seconds = (time: string): AttributeValue => ({ N: String(Date.parse(time) / 1000) });

/** Stores a key of each kind, and a record that somebody wrote by hand. */
const putAll = async (): Promise<void> => {
  const created = (day: string) => ({ createdAt: seconds(`2026-01-${day}T08:00:00Z`) });
  await put({ keyHash: { S: '0' }, expiresAt: { N: '1e30' }, name: { N: '7' } });
  await put({ keyHash: { S: '1' }, keyId: { S: '1111' }, name: { S: 'shop' }, ...created('01') });
  await put({
    keyHash: { S: '2' },
    readOnlyKeyId: { S: '2222' },
    access: { S: 'read' },
    name: { S: 'dashboard' },
    expiresAt: seconds('2999-01-31T00:00:00Z'),
    replaces: { S: '3333' },
    ...created('02'),
  });
  await put({
    keyHash: { S: '3' },
    readOnlyKeyId: { S: '3333' },
    access: { S: 'read' },
    name: { S: 'dashboard' },
    expiresAt: seconds('2026-01-31T00:00:00Z'),
    ...created('03'),
  });
  await put({
    keyHash: { S: '4' },
    keyId: { S: '4444' },
    name: { S: 'leaked' },
    expiresAt: seconds('2999-01-31T00:00:00Z'),
    revokedAt: seconds('2026-02-01T12:00:00Z'),
    ...created('04'),
  });
  await put({
    keyHash: { S: '5' },
    keyId: { S: '5555' },
    access: { S: 'admin' },
    name: { S: 'a\n\u001b[2J\u009b' },
    ...created('05'),
  });
};

test('list shows every key, what it may do, whether it works and when it ends', async () => {
  await putAll();
  expect(await keys(['list'])).toEqual({
    code: 0,
    output: `
ID    NAME                    ACCESS  STATE    CREATED     ENDS
-     -                       none    invalid  -           -
1111  shop                    write   active   2026-01-01  -
2222  dashboard               read    active   2026-01-02  2999-01-31T00:00:00Z
3333  dashboard               read    expired  2026-01-03  2026-01-31T00:00:00Z
4444  leaked                  write   revoked  2026-01-04  2026-02-01T12:00:00Z
5555  a\\u000a\\u001b[2J\\u009b  none    invalid  2026-01-05  -
`.slice(1),
    errors: '',
  });
});

test('list --json prints everything of a key but its hash', async () => {
  await putAll();
  const [byHand, , dashboard, , leaked] = await json('list');
  expect([byHand, dashboard, leaked]).toEqual([
    {
      id: null,
      name: null,
      access: 'none',
      state: 'invalid',
      created: null,
      expires: null,
      revoked: null,
      replaces: null,
    },
    {
      id: '2222',
      name: 'dashboard',
      access: 'read',
      state: 'active',
      created: '2026-01-02T08:00:00Z',
      expires: '2999-01-31T00:00:00Z',
      revoked: null,
      replaces: '3333',
    },
    {
      id: '4444',
      name: 'leaked',
      access: 'write',
      state: 'revoked',
      created: '2026-01-04T08:00:00Z',
      expires: '2999-01-31T00:00:00Z',
      revoked: '2026-02-01T12:00:00Z',
      replaces: null,
    },
  ]);
});

test('JSON holds stored text in escapes that no terminal obeys', async () => {
  await putAll();
  const { output } = await keys(['list', '--json']);
  expect(output.trim()).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(output).at(-1).name).toBe('a\n\u001b[2J\u009b');
});

test('list --active shows only the keys that work', async () => {
  await putAll();
  const listed: { id: string }[] = await json('list', '--active');
  expect(listed.map(({ id }) => id)).toEqual(['1111', '2222']);
});

test('a long name is cut off, so that the table fits 100 columns', async () => {
  const [expiresAt, createdAt] = [{ N: '32474736000' }, { N: '1767254400' }];
  const name = { S: 'x'.repeat(64) };
  await put({ keyHash: { S: '1' }, keyId: { S: '4be1c0ffee4be1c0' }, name, createdAt, expiresAt });
  const [, row] = (await keys(['list'])).output.split('\n');
  expect(row).toBe(
    `4be1c0ffee4be1c0  ${'x'.repeat(31)}…  write   active  2026-01-01  2999-01-31T00:00:00Z`,
  );
  expect(row).toHaveLength(100);
});

test('on a terminal, list sets off the keys that do not work', async () => {
  await putAll();
  const { output } = await keys(['list'], { onTerminal: true });
  const lines = output.trimEnd().split('\n');
  const isGray = lines.map((line) => line.startsWith('\u001b[90m'));
  expect(isGray).toEqual([false, true, false, false, true, true, true]);
});

const [past, future] = [1_700_000_000, 32_000_000_000];
const write = { keyId: 'w' };
const read = { readOnlyKeyId: 'r', access: 'read' };

/** Records as commands, earlier versions and hands may have written them, and how list shows them. */
const records = [
  { name: 'a key of today', record: write, shown: 'write active' },
  { name: 'a key that may write', record: { ...write, access: 'write' }, shown: 'write active' },
  { name: 'a read-only key', record: read, shown: 'read active' },
  { name: 'both ids', record: { ...write, ...read }, shown: 'read active' },
  { name: 'an end to come', record: { ...write, expiresAt: future }, shown: 'write active' },
  {
    name: 'an end with more digits than a double has',
    record: { ...write, expiresAt: NumberValue.from('1e30') },
    shown: 'write active',
  },
  { name: 'an end that is over', record: { ...write, expiresAt: past }, shown: 'write expired' },
  {
    name: 'a read-only key that is over',
    record: { ...read, expiresAt: past },
    shown: 'read expired',
  },
  { name: 'an end in text', record: { ...write, expiresAt: `${future}` }, shown: 'write expired' },
  { name: 'a null end', record: { ...write, expiresAt: null }, shown: 'write expired' },
  { name: 'revoked', record: { ...write, revokedAt: past }, shown: 'write revoked' },
  { name: 'revoked at 0', record: { ...write, revokedAt: 0 }, shown: 'write revoked' },
  { name: 'revoked at null', record: { ...write, revokedAt: null }, shown: 'write revoked' },
  {
    name: 'revoked and over',
    record: { ...write, revokedAt: past, expiresAt: past },
    shown: 'write revoked',
  },
  { name: "reads with a writer's id", record: { ...write, access: 'read' }, shown: 'none invalid' },
  {
    name: "writes with a reader's id",
    record: { ...read, access: 'write' },
    shown: 'none invalid',
  },
  { name: 'reader without access', record: { readOnlyKeyId: 'r' }, shown: 'none invalid' },
  { name: 'unknown access', record: { ...write, access: 'admin' }, shown: 'none invalid' },
  {
    name: 'access of a prototype',
    record: { ...write, access: 'constructor' },
    shown: 'none invalid',
  },
  { name: 'null access', record: { ...write, access: null }, shown: 'none invalid' },
  { name: 'no id', record: {}, shown: 'none invalid' },
  { name: 'an id that is a number', record: { keyId: 7 }, shown: 'none invalid' },
];

test('list shows what the authorizer grants each record, however it was written', async () => {
  const { client, TableName } = stage.apiKeys();
  const documents = DynamoDBDocument.from(client);
  for (const { name, record } of records) {
    await documents.put({ TableName, Item: { keyHash: name, name, createdAt: past, ...record } });
  }
  const listed: { name: string; access: string; state: string }[] = await json('list');
  expect(
    Object.fromEntries(listed.map(({ name, access, state }) => [name, `${access} ${state}`])),
  ).toEqual(Object.fromEntries(records.map(({ name, shown }) => [name, shown])));

  setEnvironment({
    API_KEYS_TABLE_NAME: TableName,
    AWS_ENDPOINT_URL_DYNAMODB: process.env.TEST_DYNAMODB_ENDPOINT ?? '',
    // DynamoDB Local has tables of their own for each region.
    AWS_REGION: 'us-east-1',
  });
  const { findActiveKey } = await import('../../../functions/keys/api-keys-table.ts');
  for (const { name, access, state } of listed) {
    const granted = await findActiveKey(name, new AbortController().signal);
    expect([name, granted?.access]).toEqual([name, state === 'active' ? access : undefined]);
  }
});

const key: IssuedKey = { keyHash: 'hash', keyId: '4be1', name: 'shop', createdAt: past };

test('a key ends with the second before its end', () => {
  jest.spyOn(Date, 'now').mockReturnValue(future * 1000 + 999);
  expect(keySummary({ ...key, expiresAt: future }).state).toBe('expired');
  expect(keySummary({ ...key, expiresAt: future + 1 }).state).toBe('active');
});

test('a time or a name that only a manual write leaves is null', () => {
  const times = [null, 'x', '1800000000', NumberValue.from('1e30'), 8.65e12, NaN, Infinity, {}];
  for (const createdAt of times) {
    expect(keySummary({ ...key, createdAt } as IssuedKey)).toMatchObject({ created: null });
  }
  for (const name of [7, null, { a: 1 }]) {
    expect(keySummary({ ...key, name } as unknown as IssuedKey)).toMatchObject({ name: null });
  }
});
