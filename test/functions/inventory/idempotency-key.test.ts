import { expect, test } from '@jest/globals';
import { tokenOf } from '../../../functions/inventory/idempotency-key.ts';

const scope = { idempotencyKey: 'k1', TableName: 'inventory', keyId: 'key-1', petId: 7n };

test('the token of a key is always the same, in every version of the function', () => {
  expect(tokenOf(scope)).toBe('JUWNaSwx8ys24vesCHENZjXosq23pwqldWJX');
});

test.each<Partial<typeof scope>>([
  { idempotencyKey: 'k2' },
  { TableName: 'other' },
  { keyId: 'key-2' },
  { petId: 8n },
])('another update has another token: %o', (other) => {
  expect(tokenOf({ ...scope, ...other })).not.toBe(tokenOf(scope));
});

test('without a key, each token is new, and as short as DynamoDB takes it', () => {
  const { idempotencyKey: _, ...others } = scope;
  const tokens = [tokenOf(others), tokenOf(others), tokenOf(scope)];
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.map(({ length }) => length)).toStrictEqual([36, 36, 36]);
});
