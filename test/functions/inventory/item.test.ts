import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { etagOf, stockOfEtag } from '../../../functions/inventory/etag.ts';
import { isPetId, petStatuses } from '../../../functions/inventory/item.ts';

test('every int64 is a petId, in its canonical form alone', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const others = (text: string) => ['+', '0', '-0', ' ', '0x'].map((prefix) => prefix + text);
  fc.assert(
    fc.property(int64, (petId) => {
      const text = String(petId);
      expect(isPetId(text)).toBe(true);
      expect([...others(text), `${text} `, `${text}.0`, `${text}n`].filter(isPetId)).toEqual([]);
    }),
  );
});

test('no other integer is a petId', () => {
  const beyond = fc.oneof(fc.bigInt({ min: 2n ** 63n }), fc.constant(2n ** 63n));
  fc.assert(
    fc.property(beyond, (integer) => {
      expect([String(integer), String(-integer - 1n)].filter(isPetId)).toEqual([]);
    }),
  );
});

test('every stock has an ETag, which tells it exactly', () => {
  expect(etagOf({ quantity: 7, status: 'available' })).toBe('"7-available"');
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom(...petStatuses), (quantity, status) => {
      const stock = { quantity, status };
      expect(stockOfEtag(etagOf(stock))).toEqual(stock);
    }),
  );
});
