import { expect, test } from '@jest/globals';
import { idOf } from '../../../ops/keys/issued-keys.ts';
import { type OpsOptions, ops } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

const rotate = (id: string, options: string[] = [], settings: OpsOptions = {}) =>
  keys(['rotate', id, '--overlap', '24h', ...options], settings);
const rotated = (id: string, ...options: string[]) =>
  json('rotate', id, '--overlap', '24h', ...options);
const hoursUntil = (time: string | null) =>
  time && Math.round((Date.parse(time) - Date.now()) / 3_600_000);
const day = 86_400;
const longAgo = 1_700_000_000;

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
  { what: 'its name', options: ['--name', "Ann's shop"], inherited: { name: "Ann's shop" } },
  { what: 'the right to write', options: [], inherited: { access: 'write' } },
  { what: 'the right to read alone', options: ['--read-only'], inherited: { access: 'read' } },
])('the new key inherits $what', async ({ options, inherited }) => {
  const { id } = await create(...options);
  expect(await rotated(id)).toMatchObject(inherited);
});

test.each([
  { age: 0, expires: ['--expires', '90d'], hours: 90 * 24 },
  { age: 2 * day, expires: ['--expires', '1d'], hours: 3 * 24 },
  { age: 2 * day, expires: [], hours: null },
])('a key of $age s with $expires is replaced by one of $hours h', async (row) => {
  const { id, created } = await create(...row.expires);
  await change(id, { createdAt: Date.parse(created) / 1000 - row.age });
  expect(hoursUntil((await rotated(id)).expires)).toBe(row.hours);
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
  'The new key works, and the old one may. ' + 'See both: npx --no -- petstore keys list --local\n';

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
