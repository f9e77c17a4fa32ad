import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hintFor, roundedPetIds } from '../../../ops/inventory/spreadsheet.ts';

const rounded =
  'A spreadsheet has rounded it: format its column as text, and enter the numbers again.';

test.each([
  ...['9.0072E+15', '9.0072e15', '9,0072E+15', '9E15', '-9.0072e+15', '9.0072 E 15', '####'],
  ...['900.72E+13', '.9E−16', '9٫0072E+15', '="9.0072E+15"', "'9.0072E+15"],
])('%s was rounded', (text) => expect(hintFor(text)).toBe(rounded));

const decorated =
  'Write it in digits from 0 to 9, after - if it is negative: no quotes, separators or decimals.';

test.each([
  ...['="9007199254740993"', "'9007199254740993", '=9007199254740993', '’9007199254740993'],
  ...['1,234,567', '1.234.567', '1 234', '1\u202f234\u00a0567', "1'234", '1’234.00'],
  ...['12,34,567', '١٬٢٣٤', '="1,234"', '7.0', '7,00', '7.', '+7', '７'],
  ...['−7', '–7', '‑7', '－7', '"7"'],
])('%s is a number that is written otherwise', (text) => expect(hintFor(text)).toBe(decorated));

test.each([
  ...['007', '-0', '7', '1.5', '1,5', '0x1F', 'E15', '1E', 'x', '1;2', '12-31', '2027-01-31'],
])('%s has no hint', (text) => expect(hintFor(text)).toBe(undefined));

test('a cell of great length takes no quadratic time, which would be half a minute', () => {
  const start = performance.now();
  expect(hintFor(`1${' '.repeat(200_000)}x`)).toBe(undefined);
  expect(performance.now() - start).toBeLessThan(5_000);
});

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
