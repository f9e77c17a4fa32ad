import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { violationOf } from '../../../functions/inventory/stored-entry.ts';

const integer = 'and must be an integer from 0 to 9007199254740991';
const statuses = 'and must be one of available, pending, sold';
const valid = { petId: { N: '1' }, quantity: { N: '1' }, status: { S: 'sold' } };

describe('a stored entry', () => {
  test.each<[AttributeValue | undefined, string | undefined]>([
    [{ N: '0' }, undefined],
    [{ N: '9007199254740991' }, undefined],
    [{ N: '9007199254740992' }, '9007199254740992'],
    [{ N: '9007199254740993.5' }, '9007199254740993.5'],
    [{ N: '-1' }, '-1'],
    [{ N: '1.5' }, '1.5'],
    [{ N: '1E+125' }, '1E+125'],
    [{ N: '007' }, '007'],
    [{ S: '7' }, '"7"'],
    [{ S: '' }, '""'],
    [{ BOOL: true }, 'of another type'],
    [{ NS: ['1'] }, 'of another type'],
    [undefined, 'missing'],
  ])('with quantity %j', (quantity, printed) => {
    const entry = { ...valid, quantity } as typeof valid;
    expect(violationOf(entry)).toBe(printed && `its quantity is ${printed} ${integer}`);
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
    const entry = { ...valid, status } as typeof valid;
    expect(violationOf(entry)).toBe(printed && `its status is ${printed} ${statuses}`);
  });

  test.each([
    ['9223372036854775807', true],
    ['-9223372036854775808', true],
    ['0', true],
    ['-1', true],
    ['9223372036854775808', false],
    ['-9223372036854775809', false],
    ['1.5', false],
    ['1E30', false],
    [`1${'0'.repeat(125)}`, false],
  ])('with petId %s', (numeral, isInt64) => {
    const violation = isInt64 ? undefined : `its petId is ${numeral} and must be an int64`;
    expect(violationOf({ ...valid, petId: { N: numeral } })).toBe(violation);
  });

  test('has every violation named', () => {
    expect(violationOf({ petId: { N: '0.5' } })).toBe(
      `its petId is 0.5 and must be an int64; its quantity is missing ${integer}; its status is missing ${statuses}`,
    );
  });
});
