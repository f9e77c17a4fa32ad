import { afterEach, expect, jest, test } from '@jest/globals';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

afterEach(() => void jest.restoreAllMocks());

const expires = '2999-01-31T00:00:00Z';
const longAgo = 1_700_000_000;
const twoDays = 2 * 24 * 3_600_000;

test.each<{ options: string[]; changes: Partial<KeySummary> }>([
  { options: ['--name', ' shop, Berlin '], changes: { name: 'shop, Berlin' } },
  { options: ['--expires', '2999-01-31'], changes: { expires } },
  { options: ['--expires', 'never'], changes: { expires: null } },
  { options: ['--name', 'Cy', '--expires', 'never'], changes: { name: 'Cy', expires: null } },
])('update with $options changes nothing else', async ({ options, changes }) => {
  const { key: _key, ...created } = await create('--expires', '1d');
  const expected = { ...created, ...changes };
  expect(await json('update', created.id, ...options)).toEqual(expected);
  expect(await show(created.id)).toEqual(expected);
});

test('update says what the key is now', async () => {
  const { id } = await create('--read-only');
  expect(await keys(['update', id, '--name', 'x', '--expires', '2999-01-31'])).toEqual({
    code: 0,
    output: `Key ${id} ("x") is active, read-only, until ${expires}.\n`,
    errors: '',
  });
});

test('update works on a record that was written by hand, without a time', async () => {
  const { client, TableName } = stage.apiKeys();
  const Item = { keyHash: { S: 'x' }, keyId: { S: 'by-hand' }, name: { N: '7' } };
  await client.putItem({ TableName, Item });
  const output = 'Key by-hand ("shop") is active, with no expiry.\n';
  expect(await keys(['update', 'by-hand', '--name', 'shop'])).toMatchObject({ code: 0, output });
});

test.each([
  { effect: 'no longer', options: ['--expires', '1h'], code: 0 },
  { effect: 'under another name', options: ['--name', 'x'], code: 0 },
  { effect: 'longer', options: ['--expires', '2d'], code: 7 },
  { effect: 'for ever', options: ['--expires', 'never'], code: 7 },
])('on prod, update of a key that works $effect exits with $code', async ({ options, code }) => {
  const { id } = await create('--expires', '1d');
  const words = ['keys', 'update', id, ...options, '--stage', 'prod'];
  expect((await stage.deployed(words)).code).toBe(code);
});

test('update does not change a key that is revoked while it asks', async () => {
  const { id, expires: end } = await create('--expires', '1d');
  const before = () => change(id, { revokedAt: longAgo });
  const typed = { prompt: /\[y\/N\] /, text: 'y\r', before };
  const words = ['keys', 'update', id, '--expires', 'never', '--stage', 'prod'];
  const errors = expect.stringContaining(
    `\npetstore: Key ${id} was changed by somebody else just now.\n`,
  );
  expect(await stage.deployed(words, { typed })).toEqual({ code: 4, output: '', errors });
  expect(await show(id)).toMatchObject({ state: 'revoked', expires: end });
});

test.each(['update --expires never', 'rotate --overlap 1h'])(
  '%s does not change a key that expires while it asks',
  async (line) => {
    const { id } = await create('--expires', '1d');
    const before = async () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + twoDays);
    const typed = { prompt: /\[y\/N\] /, text: 'y\r', before };
    const stored = await all();
    const words = ['keys', ...line.split(' '), id, '--stage', 'prod'];
    const errors = expect.stringContaining(`\npetstore: Key ${id} has expired.\n`);
    expect(await stage.deployed(words, { typed })).toEqual({ code: 4, output: '', errors });
    expect(await all()).toEqual(stored);
  },
);
