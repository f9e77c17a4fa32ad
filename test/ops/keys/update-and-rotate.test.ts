import { afterEach, expect, jest, test } from '@jest/globals';
import { changeKey, idOf } from '../../../ops/keys/issued-keys.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { type OpsOptions, ops } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

afterEach(() => void jest.restoreAllMocks());

const longAgo = 1_700_000_000;
const day = 24 * 3_600_000;

test.each<{ options: string[]; changes: Partial<KeySummary> }>([
  { options: ['--name', ' shop, Berlin '], changes: { name: 'shop, Berlin' } },
  { options: ['--expires', '2999-01-31'], changes: { expires: '2999-01-31T00:00:00Z' } },
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
    output: `Key ${id} ("x") is active, read-only, until 2999-01-31T00:00:00Z.\n`,
    errors: '',
  });
});

test('update works on a record that was written by hand, and keeps its every digit', async () => {
  const { client, TableName } = stage.apiKeys();
  const byHand = {
    keyHash: { S: 'x' },
    keyId: { S: 'by-hand' },
    expiresAt: { N: '98765432109876543' },
  };
  await client.putItem({ TableName, Item: { ...byHand, name: { N: '7' } } });
  const output = 'Key by-hand ("shop") is active, with no expiry.\n';
  expect(await keys(['update', 'by-hand', '--name', 'shop'])).toMatchObject({ code: 0, output });
  const { Items } = await client.scan({ TableName });
  expect(Items).toEqual([{ ...byHand, name: { S: 'shop' } }]);
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

const rotate = (id: string, options: string[] = [], settings: OpsOptions = {}) =>
  keys(['rotate', id, '--overlap', '24h', ...options], settings);
const rotated = (id: string, ...options: string[]) =>
  json('rotate', id, '--overlap', '24h', ...options);
const hoursUntil = (time: string | null) =>
  time && Math.round((Date.parse(time) - Date.now()) / 3_600_000);

test('rotate prints the new key, and says when both end', async () => {
  const { id, expires } = await create('--expires', '1h');
  const { code, output, errors } = await rotate(id, ['--expires', '2999-01-31']);
  expect({ code, output, errors: errors.replace(/^Key [0-9a-f]{16}/, 'Key NEW') }).toEqual({
    code: 0,
    output: expect.stringMatching(/^petstore_staging_[0-9a-f]{48}\n$/),
    errors:
      "Key NEW, until 2999-01-31T00:00:00Z. Save this key; it won't be shown again:\n" +
      `It replaces key ${id}, which works until ${expires}.\n`,
  });
});

test('both keys work until the overlap ends, and then the new one alone', async () => {
  const old = await create();
  const { overlapEnds, key: _key, ...issued } = await rotated(old.id);
  expect(hoursUntil(overlapEnds)).toBe(24);
  expect(await json('list')).toEqual(
    [
      { ...issued, state: 'active', expires: null, replaces: old.id },
      { ...(await show(old.id)), state: 'active', expires: overlapEnds, replaces: null },
    ].sort((a, b) => (a.created + a.id < b.created + b.id ? -1 : 1)),
  );
});

test('the old key never works longer than without the rotation', async () => {
  const { id, expires } = await create('--expires', '1h');
  await rotate(id);
  expect((await show(id)).expires).toBe(expires);
});

test.each([
  { options: ['--read-only'], inherited: { name: 'shop', access: 'read' } },
  { options: ['--name', "Ann's shop"], inherited: { name: "Ann's shop", access: 'write' } },
])('the new key inherits what the old one got by $options', async ({ options, inherited }) => {
  const { id } = await create(...options);
  expect(await rotated(id)).toMatchObject(inherited);
});

test('the new key gets the whole lifetime of the old one', async () => {
  const { id, created } = await create('--expires', '1d');
  await change(id, { createdAt: (Date.parse(created) - 2 * day) / 1000 });
  expect(hoursUntil((await rotated(id)).expires)).toBe(3 * 24);
});

test('a read-only key is not rotated where it would be denied', async () => {
  const { id } = await create('--read-only');
  const before = await all();
  const aws = await stage.account();
  Object.assign(aws.stacks['prod-petstore-inventory']?.outputs ?? {}, { ReadOnlyKeys: 'no' });
  const words = ['keys', 'rotate', id, '--overlap', '1h', '--stage', 'prod', '--yes'];
  const { code, errors } = await ops(words, { env: aws.environment });
  expect(code).toBe(6);
  expect(errors).toContain(
    'petstore: prod was deployed from a version that knows no read-only keys',
  );
  expect(await all()).toEqual(before);
});

const sayWhen = 'Say when the new key expires: --expires.\n';

test('a second rotation asks how long the key is to work, which the first has hidden', async () => {
  const { id } = await create();
  const first = await rotated(id);
  const before = await all();
  expect(await rotate(id)).toEqual({
    code: 4,
    output: '',
    errors: `petstore: Key ${id} was rotated before: ${first.id} was issued in its place.\n${sayWhen}`,
  });
  expect(await all()).toEqual(before);
  expect(await rotated(id, '--expires', 'never')).toMatchObject({ expires: null, replaces: id });
});

test('a key whose times were written by hand is rotated only with --expires', async () => {
  const { id } = await create('--expires', '1d');
  await change(id, { createdAt: undefined });
  const before = await all();
  expect(await rotate(id)).toEqual({
    code: 4,
    output: '',
    errors: `petstore: Key ${id} has no valid time of issue or of its end.\n${sayWhen}`,
  });
  expect(await all()).toEqual(before);
  expect((await rotate(id, ['--expires', '1d'])).code).toBe(0);
});

test('the old key does not end if the new one cannot be printed', async () => {
  const { key: _key, ...old } = await create('--expires', '90d');
  const { code, errors } = await rotate(old.id, [], { isFull: true });
  const issued = (await all()).find(({ replaces }) => replaces === old.id);
  expect(code).toBe(1);
  expect(errors).toContain(
    `petstore: Key ${issued?.keyId} could not be printed: no space left on device.\n` +
      `Revoke it: npx --no -- petstore keys revoke ${issued?.keyId} --local\n`,
  );
  expect(await show(old.id)).toEqual(old);
});

const seeBoth =
  'The new key works, and the old one may. See both: npx --no -- petstore keys list --local\n';

test('after Ctrl-C both keys work, and the command says so', async () => {
  const { key: _key, ...old } = await create();
  const interruption = new AbortController();
  stage.react = async ({ operation, forward }) => {
    if (operation === 'PutItem') {
      interruption.abort();
    }
    return forward();
  };
  const { code, output, errors } = await rotate(old.id, [], { signal: interruption.signal });
  expect({ code, output }).toEqual({ code: 130, output: expect.stringMatching(/^petstore_/) });
  expect(errors).toMatch(`\npetstore: Interrupted.\n${seeBoth}`);
  expect(await show(old.id)).toEqual(old);
  const states = (await json('list')).map(({ state }: { state: string }) => state);
  expect(states).toEqual(['active', 'active']);
});

test('an old key that is revoked meanwhile stays revoked, and the new one works', async () => {
  const old = await create();
  let writes = 0;
  stage.react = async ({ operation, forward }) => {
    writes += operation === 'PutItem' ? 1 : 0;
    if (writes === 2) {
      await change(old.id, { revokedAt: longAgo });
    }
    return forward();
  };
  const { code, output, errors } = await rotate(old.id);
  expect({ code, output }).toEqual({ code: 4, output: expect.stringMatching(/^petstore_/) });
  expect(errors).toContain(
    `petstore: Key ${old.id} was changed by somebody else just now.\n${seeBoth}`,
  );
  expect((await all()).find((key) => idOf(key) === old.id)).toMatchObject({ revokedAt: longAgo });
});

test.each(['update --expires never', 'rotate --overlap 1h'])(
  '%s does not change a key that expires while it asks',
  async (line) => {
    const { id } = await create('--expires', '1d');
    const before = async () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * day);
    const typed = { prompt: /\[y\/N\] /, text: 'y\r', before };
    const stored = await all();
    const words = ['keys', ...line.split(' '), id, '--stage', 'prod'];
    const errors = expect.stringContaining(`\npetstore: Key ${id} has expired.\n`);
    expect(await stage.deployed(words, { typed })).toEqual({ code: 4, output: '', errors });
    expect(await all()).toEqual(stored);
  },
);

test.each<{ changed: string; others: object }>([
  { changed: 'renamed', others: { name: 'Bo' } },
  { changed: 'revoked', others: { revokedAt: 1 } },
  { changed: 'given another end', others: { expiresAt: 1 } },
  { changed: 'given another ID', others: { keyId: 'x' } },
  { changed: 'made read-only', others: { readOnlyKeyId: 'r' } },
  { changed: 'given an access', others: { access: 'read' } },
])('a key that was $changed since it was read is not changed', async ({ others }) => {
  await create();
  const [seen = { keyHash: '' }] = await all();
  await changeKey(stage.apiKeys(), seen, others);
  const now = await all();
  expect(await changeKey(stage.apiKeys(), seen, { name: 'Cy' })).toBe(undefined);
  expect(await all()).toEqual(now);
});
