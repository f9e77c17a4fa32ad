import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import type { IssuedKey } from '../../../ops/keys/issued-keys.ts';
import { keySummary } from '../../../ops/keys/key-summary.ts';

const now = 1_800_000_000;
const nowText = '2027-01-15T08:00:00Z';
jest.spyOn(Date, 'now').mockReturnValue(now * 1000);

const key: IssuedKey = { keyHash: 'hash', keyId: '4be1', name: 'shop', createdAt: now };
const readOnly: IssuedKey = {
  keyHash: 'hash',
  readOnlyKeyId: 'c0ff',
  access: 'read',
  name: 'dashboard',
  createdAt: now,
};

test('a summary has everything of a key but its hash', () => {
  const record = { ...key, expiresAt: now + 1, revokedAt: now, replaces: 'older' };
  expect(keySummary(record)).toEqual({
    id: '4be1',
    name: 'shop',
    access: 'write',
    state: 'revoked',
    created: nowText,
    expires: '2027-01-15T08:00:01Z',
    revoked: nowText,
    replaces: 'older',
  });
});

test('absent values are null', () => {
  expect(keySummary({} as IssuedKey)).toEqual({
    id: null,
    name: null,
    access: 'none',
    state: 'invalid',
    created: null,
    expires: null,
    revoked: null,
    replaces: null,
  });
});

test.each<{ record: object; state: string }>([
  { record: {}, state: 'active' },
  { record: { expiresAt: now + 1 }, state: 'active' },
  { record: { expiresAt: NumberValue.from('1e30') }, state: 'active' },
  { record: { expiresAt: now }, state: 'expired' },
  { record: { expiresAt: now - 1 }, state: 'expired' },
  { record: { expiresAt: `${now + 1}` }, state: 'expired' },
  { record: { expiresAt: null }, state: 'expired' },
  { record: { revokedAt: now }, state: 'revoked' },
  { record: { revokedAt: 0 }, state: 'revoked' },
  { record: { revokedAt: null }, state: 'revoked' },
  { record: { revokedAt: now, expiresAt: now - 1 }, state: 'revoked' },
])('a key with $record is $state, as the authorizer sees it', ({ record, state }) => {
  expect(keySummary({ ...key, ...record } as IssuedKey).state).toBe(state);
});

test.each<{ record: object; id: string | null; access: string; state: string }>([
  { record: key, id: '4be1', access: 'write', state: 'active' },
  { record: { ...key, access: 'write' }, id: '4be1', access: 'write', state: 'active' },
  { record: readOnly, id: 'c0ff', access: 'read', state: 'active' },
  { record: { ...readOnly, revokedAt: now }, id: 'c0ff', access: 'read', state: 'revoked' },
  { record: { ...key, access: 'read' }, id: '4be1', access: 'none', state: 'invalid' },
  { record: { ...readOnly, access: 'write' }, id: 'c0ff', access: 'none', state: 'invalid' },
  { record: { ...readOnly, access: undefined }, id: 'c0ff', access: 'none', state: 'invalid' },
  { record: { ...key, access: 'admin' }, id: '4be1', access: 'none', state: 'invalid' },
  { record: { ...key, access: 'constructor' }, id: '4be1', access: 'none', state: 'invalid' },
  { record: { ...key, access: null }, id: '4be1', access: 'none', state: 'invalid' },
  { record: { ...key, keyId: undefined }, id: null, access: 'none', state: 'invalid' },
  { record: { ...key, keyId: 7 }, id: null, access: 'none', state: 'invalid' },
])('$record may $access', ({ record, ...expected }) => {
  expect(keySummary(record as IssuedKey)).toMatchObject(expected);
});

const notATime = [null, 'x', '1800000000', NumberValue.from('1e30'), 8.65e12, NaN, Infinity, {}];

test.each(notATime)('a time of %j, which only a manual write leaves, is null', (createdAt) => {
  expect(keySummary({ ...key, createdAt } as IssuedKey).created).toBe(null);
});

test.each([7, null, { a: 1 }])(
  'a name of %j, which only a manual write leaves, is null',
  (name) => {
    expect(keySummary({ ...key, name } as unknown as IssuedKey).name).toBe(null);
  },
);
