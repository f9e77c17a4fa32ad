import { expect, test } from '@jest/globals';
import { keysStage, now, onLocal, onProd, shop } from '../../support/ops/keys.ts';

const stage = keysStage();

const id = '1111111111111111';
const rotate = ['rotate', id, '--overlap', '24h'];
const hour = 3_600;
const { keyHash: _keyHash, ...stored } = shop;
const issued = { keyId: 'NEW_ID', name: 'shop', createdAt: now };

const saveIt = "Save this key; it won't be shown again:\n";

test('both keys work until the overlap ends, and then the new one alone', async () => {
  await stage.put(shop);
  expect(await stage.local(rotate)).toStrictEqual({
    code: 0,
    output: 'petstore_staging_KEY\n',
    errors:
      `${onLocal}Key NEW_ID may write, with no expiry. ${saveIt}` +
      `It replaces key ${id}, which works until 2027-01-16T08:00:00Z.\n`,
  });
  expect(await stage.records()).toStrictEqual([{ ...stored, expiresAt: now + 24 * hour }, issued]);
});

test.each([
  { what: 'gets the lifetime of the old one', options: [], newEnd: now + 3 * hour },
  { what: 'gets the end that is given', options: ['--expires', '9h'], newEnd: now + 9 * hour },
  { what: 'works for ever if so told', options: ['--expires', 'never'], newEnd: undefined },
])('the new key $what; the old one never works longer', async ({ options, newEnd }) => {
  const old = { ...shop, createdAt: now - hour, expiresAt: now + 2 * hour };
  await stage.put(old);
  expect((await stage.local([...rotate, ...options])).code).toBe(0);
  const expiry = newEnd === undefined ? {} : { expiresAt: newEnd };
  expect(await stage.records()).toStrictEqual([
    { ...stored, expiresAt: old.expiresAt },
    { ...issued, ...expiry },
  ]);
});

test('a read-only key is replaced by one', async () => {
  const { keyId, ...rest } = shop;
  await stage.put({ ...rest, readOnlyKeyId: keyId, access: 'read' });
  expect((await stage.local(rotate)).code).toBe(0);
  const [, replacement] = await stage.records();
  expect(replacement).toStrictEqual({
    readOnlyKeyId: 'NEW_ID',
    access: 'read',
    name: 'shop',
    createdAt: now,
  });
});

test.each([
  { changes: { revokedAt: now - 1 }, state: 'revoked' },
  { changes: { expiresAt: now }, state: 'expired' },
])('a key that is $state is not rotated', async ({ changes, state }) => {
  await stage.put({ ...shop, ...changes });
  expect(await stage.local(rotate)).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: Key ${id} is ${state}. Issue another with keys create.\n`,
  });
  expect(await stage.records()).toStrictEqual([{ ...stored, ...changes }]);
});

test('the old key does not end if the new one cannot be printed', async () => {
  await stage.put(shop);
  expect(await stage.local(rotate, { isFull: true })).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}Key NEW_ID may write, with no expiry. ${saveIt}` +
      'petstore: ENOSPC: no space left on device\n',
  });
  expect(await stage.records()).toStrictEqual([stored, issued]);
});

test('on prod, rotate asks, and changes nothing after no', async () => {
  await stage.put(shop);
  expect(await stage.prod(rotate, { typed: '\r' })).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onProd}Rotate key ${id} ("shop") of prod? [y/N] \r\npetstore: Nothing was changed.\n`,
  });
  expect(await stage.records()).toStrictEqual([stored]);
});

test('rotate --json prints the new key', async () => {
  await stage.put(shop);
  expect(JSON.parse((await stage.local([...rotate, '--json'])).output)).toStrictEqual({
    id: 'NEW_ID',
    name: 'shop',
    access: 'write',
    state: 'active',
    created: '2027-01-15T08:00:00Z',
    expires: null,
    revoked: null,
    key: 'petstore_staging_KEY',
  });
});
