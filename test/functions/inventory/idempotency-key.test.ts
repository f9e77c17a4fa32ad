import { expect, test } from '@jest/globals';
import { petIdOfToken, tokenOf } from '../../../functions/inventory/idempotency-key.ts';
import { isPetId } from '../../../functions/inventory/item.ts';

const scope = { idempotencyKey: 'k1', TableName: 'inventory', keyId: 'key-1', petId: 7n };

test('the token of a key is always the same, in every version of the function', () => {
  expect(tokenOf(scope)).toBe('JUWNaSwx8ys24vesCHENZjXosq23pwqldWJX');
});

test('a token has a petId of its own, always the same, which no pet can have', () => {
  const petId = petIdOfToken(tokenOf(scope));
  expect(petId).toBe(346234368438672550966970425606012338n);
  expect(petIdOfToken(`${tokenOf(scope)}x`)).not.toBe(petId);
  expect(isPetId(String(petId))).toBe(false);
  // The most digits of a number in DynamoDB.
  expect(String(petId).length).toBeLessThanOrEqual(38);
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
