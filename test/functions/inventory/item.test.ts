import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { etagOf, loggedIfMatch, stockOfEtag } from '../../../functions/inventory/etag.ts';
import { changesOf, isPetId, petStatuses } from '../../../functions/inventory/item.ts';
import { readItem } from '../../../functions/inventory/stored-item.ts';

test('every int64 is a petId, in its canonical form alone, and no other integer', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(int64, fc.bigInt({ min: 0n }), (petId, more) => {
      expect(isPetId(String(petId))).toBe(true);
      const prefixed = ['+', '0', '-0', ' ', '0x'].map((prefix) => `${prefix}${petId}`);
      const others = [`${petId} `, `${petId}.0`, `${petId}e0`, `${petId}n`, '-', ''];
      const beyond = [2n ** 63n + more, -(2n ** 63n) - 1n - more].map(String);
      expect([...prefixed, ...others, ...beyond].filter(isPetId)).toStrictEqual([]);
    }),
    {
      examples: [
        [0n, 0n],
        [2n ** 63n - 1n, 0n],
        [-(2n ** 63n), 1n],
      ],
    },
  );
});

test('every stock has an ETag, which tells it exactly and may be logged', () => {
  expect(etagOf({ quantity: 7, status: 'available' })).toBe('"7-available"');
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom(...petStatuses), (quantity, status) => {
      const stock = { quantity, status };
      expect(stockOfEtag(etagOf(stock))).toStrictEqual(stock);
      expect(stockOfEtag(` ${etagOf(stock)}`)).toBeUndefined();
      expect(stockOfEtag(`${etagOf(stock)} `)).toBeUndefined();
      expect(loggedIfMatch(etagOf(stock))).toStrictEqual({ ifMatch: etagOf(stock) });
    }),
  );
});

test('a change sets what it names, and nothing else', () => {
  expect(changesOf({ quantity: undefined, status: 'sold' })).toStrictEqual({
    UpdateExpression: 'SET #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': 'sold' },
  });
});

const wrongPetId = (printed: string) => `its petId is ${printed} but must be an int64`;
const wrongQuantity = (printed: string) =>
  `its quantity is ${printed} but must be an integer from 0 to 9007199254740991`;
const wrongStatus = (printed: string) =>
  `its status is ${printed} but must be one of ${petStatuses.join(', ')}`;

test.each([
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
  expect(readItem({ ...valid, ...attributes } as typeof valid)).toStrictEqual({ violation });
});
