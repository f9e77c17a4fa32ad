import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, keys, json } = localKeys();

/** Stores a record as it is. */
const put = async (Item: Record<string, AttributeValue>): Promise<void> => {
  const { client, TableName } = stage.apiKeys();
  await client.putItem({ TableName, Item });
};

const seconds = (time: string): AttributeValue => ({ N: String(Date.parse(time) / 1000) });

/** Stores a key of each kind. */
const putAll = async (): Promise<void> => {
  const created = (day: string) => ({ createdAt: seconds(`2026-01-${day}T08:00:00Z`) });
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
1111  shop                    write   active   2026-01-01  -
2222  dashboard               read    active   2026-01-02  2999-01-31T00:00:00Z
3333  dashboard               read    expired  2026-01-03  2026-01-31T00:00:00Z
4444  leaked                  write   revoked  2026-01-04  2026-02-01T12:00:00Z
5555  a\\u000a\\u001b[2J\\u009b  none    invalid  2026-01-05  -
`.slice(1),
    errors: '',
  });
});

test('list shows dashes for what a record that was written by hand lacks, first', async () => {
  await putAll();
  await put({ keyHash: { S: 'x' }, expiresAt: { N: '1e30' }, name: { N: '7' } });
  const { output } = await keys(['list']);
  expect(output.split('\n')[1]).toMatch(/^- +- +none +invalid +- +-$/);
});

test('list --json prints everything that is known of each key', async () => {
  await putAll();
  const [shop, dashboard, , , byHand] = await json('list');
  const none = { expires: null, revoked: null, replaces: null };
  expect([shop, dashboard, byHand]).toEqual([
    {
      id: '1111',
      name: 'shop',
      access: 'write',
      state: 'active',
      created: '2026-01-01T08:00:00Z',
      ...none,
    },
    {
      id: '2222',
      name: 'dashboard',
      access: 'read',
      state: 'active',
      created: '2026-01-02T08:00:00Z',
      ...none,
      expires: '2999-01-31T00:00:00Z',
      replaces: '3333',
    },
    {
      id: '5555',
      name: 'a\n\u001b[2J\u009b',
      access: 'none',
      state: 'invalid',
      created: '2026-01-05T08:00:00Z',
      ...none,
    },
  ]);
});

test('JSON holds stored text in escapes that no terminal obeys', async () => {
  await putAll();
  expect((await keys(['list', '--json'])).output.trim()).not.toMatch(/\p{Cc}/u);
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
  const isGray = output
    .trimEnd()
    .split('\n')
    .map((line) => line.startsWith('\u001b[90m'));
  expect(isGray).toEqual([false, false, false, true, true, true]);
});
