import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loggedQuantity, violationOf } from '../../../functions/inventory/stored-entry.ts';

const integer = 'and must be an integer from 0 to 9007199254740991';
const petId = { N: '1' };
const sold = { S: 'sold' };

describe('a stored entry', () => {
  test.each<[AttributeValue | undefined, string | undefined]>([
    [{ N: '0' }, undefined],
    [{ N: '9007199254740991' }, undefined],
    [{ N: '9007199254740992' }, `its quantity is 9007199254740992 ${integer}`],
    [{ N: '9007199254740993.5' }, `its quantity is 9007199254740993.5 ${integer}`],
    [{ N: '-1' }, `its quantity is -1 ${integer}`],
    [{ N: '1.5' }, `its quantity is 1.5 ${integer}`],
    [{ N: '1E+125' }, `its quantity is 1E+125 ${integer}`],
    [{ N: '007' }, `its quantity is 007 ${integer}`],
    [{ S: '7' }, `its quantity is "7" ${integer}`],
    [{ S: '' }, `its quantity is "" ${integer}`],
    [{ BOOL: true }, `its quantity is of another type ${integer}`],
    [{ NS: ['1'] }, `its quantity is of another type ${integer}`],
    [undefined, `its quantity is missing ${integer}`],
  ])('with quantity %j', (quantity, violation) => {
    expect(violationOf({ petId, status: sold, ...(quantity && { quantity }) })).toBe(violation);
  });

  test.each<[AttributeValue | undefined, string | undefined]>([
    [{ S: 'available' }, undefined],
    [{ S: 'pending' }, undefined],
    [{ S: 'sold' }, undefined],
    [{ S: 'Sold' }, '"Sold"'],
    [{ S: '' }, '""'],
    [{ S: 'x'.repeat(400) }, `"${'x'.repeat(24)}…"`],
    [{ N: '1' }, '1'],
    [{ SS: ['sold'] }, 'of another type'],
    [undefined, 'missing'],
  ])('with status %j', (status, printed) => {
    const violation = printed && `its status is ${printed} and must be one of available, pending, sold`;
    expect(violationOf({ petId, quantity: { N: '1' }, ...(status && { status }) })).toBe(violation);
  });

  test.each([
    ['9223372036854775807', true],
    ['-9223372036854775808', true],
    ['0', true],
    ['9223372036854775808', false],
    ['-9223372036854775809', false],
    ['1.5', false],
    ['1E30', false],
    [`1${'0'.repeat(125)}`, false],
  ])('with petId %s', (numeral, valid) => {
    const violation = valid ? undefined : `its petId is ${numeral} and must be an int64`;
    expect(violationOf({ petId: { N: numeral }, quantity: { N: '1' }, status: sold })).toBe(violation);
  });

  test('has every violation named', () => {
    expect(violationOf({ petId: { N: '0.5' } })).toBe(
      `its petId is 0.5 and must be an int64; its quantity is missing ${integer}; ` +
        'its status is missing and must be one of available, pending, sold',
    );
  });

  test('keeps the contract with every item that the API can make', () => {
    const quantities = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    const statuses = fc.constantFrom('available', 'pending', 'sold');
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        quantities,
        statuses,
        (id, quantity, status) => {
          const entry = { petId: { N: String(id) }, quantity: { N: String(quantity) }, status: { S: status } };
          expect(violationOf(entry)).toBeUndefined();
          expect(loggedQuantity(entry.quantity)).toBe(quantity);
        },
      ),
    );
  });
});
