import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { roundedPetIds } from '../../../ops/inventory/spreadsheet.ts';

test.each([
  { petIds: [], count: 0 },
  { petIds: [1n, 100_000_000_000_000n], count: 0 },
  { petIds: [9_007_199_254_740_990n], count: 1 },
  { petIds: [9_007_199_254_740_993n], count: 0 },
  { petIds: [1n, 123_456_789_012_345n, -9_223_372_036_854_770_000n], count: 1 },
  { petIds: [9_007_199_254_740_990n, 9_223_372_036_854_770_000n], count: 2 },
  { petIds: [9_007_199_254_740_990n, 9_007_199_254_740_993n], count: 0 },
  // 17 digits, of which a spreadsheet would have kept 15.
  { petIds: [90_071_992_547_409_930n], count: 0 },
  // As JavaScript and jq print 9223372036854775807.
  { petIds: [9_007_199_254_740_993n, 9_223_372_036_854_776_000n], count: 1 },
  { petIds: [9_223_372_036_854_776_000n, 9_223_372_036_854_775_807n], count: 0 },
])('of the petIds $petIds, $count seem rounded', ({ petIds, count }) => {
  expect(roundedPetIds(petIds)).toBe(count);
});

test('petIds of 16 digits and more that a spreadsheet has kept 15 digits of seem rounded', () => {
  const long = fc.bigInt({ min: 10n ** 15n, max: 2n ** 63n - 1n });
  const property = fc.property(fc.array(long), (petIds) => {
    const kept = petIds.map((petId) => {
      const digits = String(petId);
      return BigInt(digits.slice(0, 15).padEnd(digits.length, '0'));
    });
    expect(roundedPetIds(kept)).toBe(petIds.length);
  });
  fc.assert(property);
});
