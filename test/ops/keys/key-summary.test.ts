import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import type { IssuedKey } from '../../../ops/keys/issued-keys.ts';
import { keySummary } from '../../../ops/keys/key-summary.ts';

const now = 1_800_000_000;
const nowText = '2027-01-15T08:00:00Z';
jest.spyOn(Date, 'now').mockReturnValue(now * 1000);

const key: IssuedKey = { keyHash: 'hash', keyId: '4be1', name: 'shop', createdAt: now };

test('a summary has everything of a key but its hash', () => {
  const ends = { expiresAt: now + 1, revokedAt: now, replaces: 'older', replacedBy: 'newer' };
  expect(keySummary({ ...key, ...ends, unprinted: true, lifetime: 1 })).toEqual({
    id: '4be1',
    name: 'shop',
    state: 'revoked',
    created: nowText,
    expires: '2027-01-15T08:00:01Z',
    revoked: nowText,
    replaces: 'older',
    replacedBy: 'newer',
  });
});

test('absent values are null', () => {
  expect(keySummary({} as IssuedKey)).toEqual({
    id: null,
    name: null,
    state: 'invalid',
    created: null,
    expires: null,
    revoked: null,
    replaces: null,
    replacedBy: null,
  });
});

test.each<[state: string, record: object]>([
  ['active', {}],
  ['active', { expiresAt: now + 1 }],
  ['active', { expiresAt: NumberValue.from('1e30') }],
  ['expired', { expiresAt: now }],
  ['expired', { expiresAt: now - 1 }],
  ['expired', { expiresAt: `${now + 1}` }],
  ['expired', { expiresAt: null }],
  ['revoked', { revokedAt: now }],
  ['revoked', { revokedAt: 0 }],
  ['revoked', { revokedAt: null }],
  ['revoked', { revokedAt: now, expiresAt: now - 1 }],
  ['invalid', { keyId: undefined }],
  ['invalid', { keyId: 7 }],
])('a key is %s with %j, as the authorizer sees it', (state, record) => {
  expect(keySummary({ ...key, ...record } as IssuedKey).state).toBe(state);
});

test.each([null, 'x', '1800000000', NumberValue.from('1e30'), 8.65e12, NaN, Infinity, {}])(
  'a time of %j, which only a manual write leaves, is null',
  (createdAt) => {
    expect(keySummary({ ...key, createdAt } as IssuedKey).created).toBe(null);
  },
);

test.each([7, null, { a: 1 }])(
  'a name of %j, which only a manual write leaves, is null',
  (name) => {
    expect(keySummary({ ...key, name } as unknown as IssuedKey).name).toBe(null);
  },
);
