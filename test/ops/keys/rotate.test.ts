import { describe, expect, test } from '@jest/globals';
import { keysStage, now, onLocal, shop } from '../../support/ops/keys.ts';

const stage = keysStage();

const id = '1111111111111111';
const rotate = ['rotate', id, '--overlap', '24h'];
const hour = 3_600;
const { keyHash: _keyHash, ...stored } = shop;
const issued = { keyId: 'NEW_ID', name: 'shop', createdAt: now, replaces: id };

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
  const { output } = await stage.local([...rotate, '--json']);
  expect(JSON.parse(output)).toMatchObject({ access: 'read', key: 'petstore_staging_KEY' });
  const [, replacement] = await stage.records();
  expect(replacement).toStrictEqual({
    readOnlyKeyId: 'NEW_ID',
    access: 'read',
    name: 'shop',
    createdAt: now,
    replaces: id,
  });
});

describe('a second rotation of a key', () => {
  const successor = { ...shop, keyHash: '2', keyId: '2'.repeat(16), createdAt: now, replaces: id };
  const ends = { ...shop, expiresAt: now + 24 * hour };

  test('is refused, because the end of the key may be that of the overlap', async () => {
    await stage.put(ends, successor);
    expect(await stage.local(rotate)).toStrictEqual({
      code: 1,
      output: '',
      errors:
        `${onLocal}petstore: Key ${id} was rotated before: 2222222222222222 was issued in its ` +
        'place.\nSay when the new key expires: --expires 90d, or never.\n',
    });
    expect(await stage.records()).toHaveLength(2);
  });

  test('does not move its end, and gives the new key the end that is told', async () => {
    await stage.put(ends, successor);
    const again = ['rotate', id, '--overlap', '30d', '--expires', '90d'];
    expect(await stage.local(again)).toStrictEqual({
      code: 0,
      output: 'petstore_staging_KEY\n',
      errors:
        `${onLocal}Key NEW_ID may write, until 2027-04-15T08:00:00Z. ${saveIt}` +
        `It replaces key ${id}, which works until 2027-01-16T08:00:00Z.\n`,
    });
    expect(await stage.records()).toStrictEqual([
      { ...stored, expiresAt: ends.expiresAt },
      expect.objectContaining({ createdAt: now, replaces: id }),
      expect.objectContaining({ createdAt: now, replaces: id }),
    ]);
  });

  test.each([
    { what: 'after the first was interrupted before the key got an end', keys: [shop, successor] },
    { what: 'if that was of another key', keys: [ends, { ...successor, replaces: '3333' }] },
  ])('is as good as the first $what', async ({ keys }) => {
    await stage.put(...keys);
    expect((await stage.local(rotate)).code).toBe(0);
    expect((await stage.records())[0]).toStrictEqual({ ...stored, expiresAt: now + 24 * hour });
  });
});

test('the old key does not end if the new one cannot be printed', async () => {
  await stage.put(shop);
  expect(await stage.local(rotate, { fails: 'ENOSPC' })).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}Key NEW_ID may write, with no expiry. ${saveIt}` +
      'petstore: ENOSPC: no space left on device\nNobody has received key NEW_ID: revoke it.\n',
  });
  expect(await stage.records()).toStrictEqual([stored, issued]);
});

const printed = `${onLocal}Key NEW_ID may write, with no expiry. ${saveIt}`;
const output = 'petstore_staging_KEY\n';

test('a lost response to the end of the old key is not taken for the change of somebody else', async () => {
  await stage.put(shop);
  const writes = stage.loseFirst('UpdateItem');
  expect(await stage.local(rotate)).toStrictEqual({
    code: 0,
    output,
    errors: `${printed}It replaces key ${id}, which works until 2027-01-16T08:00:00Z.\n`,
  });
  expect(writes()).toBeGreaterThan(1);
  expect((await stage.records())[0]).toStrictEqual({ ...stored, expiresAt: now + 24 * hour });
});

test.each([
  {
    what: 'an earlier end stays',
    change: { expiresAt: now + 60 },
    left: { expiresAt: now + 60 },
    says: 'works until 2027-01-15T08:01:00Z',
  },
  {
    what: 'a later end is replaced',
    change: { expiresAt: now + 99 * hour },
    left: { expiresAt: now + 24 * hour },
    says: 'works until 2027-01-16T08:00:00Z',
  },
  {
    what: 'a revocation stays',
    change: { revokedAt: now },
    left: { revokedAt: now, expiresAt: now + 24 * hour },
    says: 'was revoked meanwhile',
  },
])('$what, which somebody else gives the old key meanwhile', async ({ change, left, says }) => {
  await stage.put(shop);
  stage.beforeFirst('UpdateItem', () => stage.put({ ...shop, ...change }));
  expect(await stage.local(rotate)).toStrictEqual({
    code: 0,
    output,
    errors: `${printed}It replaces key ${id}, which ${says}.\n`,
  });
  expect((await stage.records())[0]).toStrictEqual({ ...stored, ...left });
});

test('if the old key has gone, it is told that the new one works', async () => {
  await stage.put(shop);
  stage.beforeFirst('UpdateItem', () => stage.remove(shop));
  expect(await stage.local(rotate)).toStrictEqual({
    code: 1,
    output,
    errors:
      `${printed}The new key works. keys list shows whether key ${id} still does.\n` +
      `petstore: Key ${id} was removed from the table just now.\n`,
  });
  expect(await stage.records()).toStrictEqual([issued]);
});
