import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { etagOf, stockOfEtag } from '../../../functions/inventory/conditional-update.ts';
import { isPetId, petStatuses } from '../../../functions/inventory/item.ts';
import { violationOf } from '../../../functions/inventory/stored-item.ts';

test('every int64 is a petId, in its canonical form alone', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const others = (text: string) => ['+', '0', '-0', ' ', '0x'].map((prefix) => prefix + text);
  fc.assert(
    fc.property(int64, (petId) => {
      const text = String(petId);
      expect(isPetId(text)).toBe(true);
      expect([...others(text), `${text} `, `${text}.0`, `${text}n`].filter(isPetId)).toStrictEqual(
        [],
      );
    }),
  );
});

test('no other integer is a petId', () => {
  const beyond = fc.oneof(fc.bigInt({ min: 2n ** 63n }), fc.constant(2n ** 63n));
  fc.assert(
    fc.property(beyond, (integer) => {
      expect([String(integer), String(-integer - 1n)].filter(isPetId)).toStrictEqual([]);
    }),
  );
});

test('every stock has an ETag, which tells it exactly', () => {
  expect(etagOf({ quantity: 7, status: 'available' })).toBe('"7-available"');
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom(...petStatuses), (quantity, status) => {
      const stock = { quantity, status };
      expect(stockOfEtag(etagOf(stock))).toStrictEqual(stock);
      expect(stockOfEtag(`${etagOf(stock)} `)).toBeUndefined();
    }),
  );
});

const wrongPetId = (printed: string) => `its petId is ${printed} and must be an int64`;
const wrongQuantity = (printed: string) =>
  `its quantity is ${printed} and must be an integer from 0 to 9007199254740991`;
const wrongStatus = (printed: string) =>
  `its status is ${printed} and must be one of available, pending, sold`;

test.each([
  {
    attributes: { petId: { N: '9223372036854775807' }, quantity: { N: '0' } },
    violation: undefined,
  },
  {
    attributes: { petId: { N: '-9223372036854775808' }, quantity: { N: '9007199254740991' } },
    violation: undefined,
  },
  {
    attributes: { petId: { N: '9223372036854775808' } },
    violation: wrongPetId('9223372036854775808'),
  },
  {
    attributes: { quantity: { N: '9007199254740992' } },
    violation: wrongQuantity('9007199254740992'),
  },
  { attributes: { quantity: { N: '-1' } }, violation: wrongQuantity('-1') },
  { attributes: { quantity: { N: '1.5' } }, violation: wrongQuantity('1.5') },
  { attributes: { quantity: { N: '007' } }, violation: wrongQuantity('007') },
  { attributes: { quantity: { S: '' } }, violation: wrongQuantity('""') },
  { attributes: { quantity: { NS: ['1'] } }, violation: wrongQuantity('of another type') },
  {
    attributes: { status: { S: 'x'.repeat(400) } },
    violation: wrongStatus(`"${'x'.repeat(24)}…"`),
  },
  { attributes: { status: { S: 'sold\u200b' } }, violation: wrongStatus(String.raw`"sold\u200b"`) },
  { attributes: { status: { N: '1' } }, violation: wrongStatus('1') },
  {
    attributes: { petId: { N: '0.5' }, quantity: undefined, status: undefined },
    violation: `${wrongPetId('0.5')}; ${wrongQuantity('missing')}; ${wrongStatus('missing')}`,
  },
])('a stored entry with $attributes has the violation: $violation', ({ attributes, violation }) => {
  const valid = { petId: { N: '1' }, quantity: { N: '1' }, status: { S: 'sold' } };
  expect(violationOf({ ...valid, ...attributes } as typeof valid)).toBe(violation);
});
