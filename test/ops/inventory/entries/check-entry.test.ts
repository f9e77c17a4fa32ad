import { expect, test } from '@jest/globals';
import { checkEntry, excerpt, Numeral } from '../../../../ops/inventory/entries/check-entry.ts';
import { isLinear } from '../../../support/process/linear.ts';

const n = (text: string) => new Numeral(text);
const valid = { petId: n('1'), quantity: n('1'), status: 'sold' };

test.each([
  [valid, { petId: '1', quantity: 1, status: 'sold' }],
  [{ ...valid, petId: n('-9223372036854775808') }, { petId: '-9223372036854775808' }],
  [{ ...valid, petId: n('9223372036854775807') }, { petId: '9223372036854775807' }],
  [{ ...valid, quantity: n('0') }, { quantity: 0 }],
  [{ ...valid, quantity: n('9007199254740991') }, { quantity: 9_007_199_254_740_991 }],
  [{ ...valid, quantity: n('1e2') }, { quantity: 100 }],
  [{ ...valid, quantity: n('1.0') }, { quantity: 1 }],
  [{ ...valid, status: 'available' }, { status: 'available' }],
  [{ ...valid, status: 'pending' }, { status: 'pending' }],
])('%p is an entry', (value, entry) => {
  expect(checkEntry(value)).toEqual({ petId: '1', quantity: 1, status: 'sold', ...entry });
});

const petIdRule =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
  'in digits without leading zeros';
const quantityRule = 'quantity must be an integer from 0 to 9007199254740991';
const statusRule = 'status must be available, pending or sold';
const rounded =
  ' A spreadsheet has rounded it: format its column as text, and enter the numbers again.';

test.each([
  [{ petId: n('01') }, 'petId', '01', `${petIdRule}, not 01.`],
  [
    { petId: n('9223372036854775808') },
    'petId',
    '9223372036854775808',
    /, not 9223372036854775808\.$/,
  ],
  [{ petId: n('3.0') }, 'petId', '3.0', `${petIdRule}, not 3.0.`],
  [{ petId: '2' }, 'petId', '"2"', `${petIdRule}, not "2".`],
  [{ petId: 2 }, 'petId', '2', `${petIdRule}, not 2.`],
  [{ petId: undefined }, 'petId', undefined, `${petIdRule}; it is missing.`],
  [{ petId: n('1.23457E+12') }, 'petId', '1.23457E+12', `${petIdRule}, not 1.23457E+12.${rounded}`],
  [{ petId: '1,2E+12' }, 'petId', '"1,2E+12"', `${petIdRule}, not "1,2E+12".${rounded}`],
  [{ petId: '-1E+18' }, 'petId', '"-1E+18"', `${petIdRule}, not "-1E+18".${rounded}`],
  [{ petId: '12.3E+12' }, 'petId', '"12.3E+12"', `${petIdRule}, not "12.3E+12".`],
  [{ petId: 'A1.2E+12' }, 'petId', '"A1.2E+12"', `${petIdRule}, not "A1.2E+12".`],
  [{ petId: '1.2E+12 or so' }, 'petId', '"1.2E+12 or so"', /, not "1\.2E\+12 or so"\.$/],
  [{ petId: { toString: 1 } }, 'petId', 'an object', `${petIdRule}, not an object.`],
  [{ quantity: n('-1') }, 'quantity', '-1', `${quantityRule}, not -1.`],
  [{ quantity: n('1.5') }, 'quantity', '1.5', `${quantityRule}, not 1.5.`],
  [
    { quantity: n('9007199254740992') },
    'quantity',
    '9007199254740992',
    /, not 9007199254740992\.$/,
  ],
  [
    { quantity: n('4503599627370496.4999999999') },
    'quantity',
    '4503599627370496.4999999999',
    `${quantityRule}, not 4503599627370496.4999999999.`,
  ],
  [{ quantity: true }, 'quantity', 'true', `${quantityRule}, not true.`],
  [{ quantity: [1] }, 'quantity', 'an array', `${quantityRule}, not an array.`],
  [{ quantity: '1E+11' }, 'quantity', '"1E+11"', `${quantityRule}, not "1E+11".${rounded}`],
  [{ quantity: undefined }, 'quantity', undefined, `${quantityRule}; it is missing.`],
  [{ status: 'gone' }, 'status', '"gone"', `${statusRule}, not "gone".`],
  [{ status: null }, 'status', 'null', `${statusRule}, not null.`],
  [{ status: undefined }, 'status', undefined, `${statusRule}; it is missing.`],
  [{ colour: 'red' }, 'colour', undefined, '"colour" is not a property of an entry.'],
])('an entry with %p is invalid', (wrong, column, value, reason) => {
  const matching = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  const problem = { reason: matching, column, value };
  expect(checkEntry({ ...valid, ...wrong })).toEqual([problem]);
});

test('every problem of an entry is named', () => {
  const columns = [{ column: 'petId' }, { column: 'quantity' }, { column: 'status' }];
  expect(checkEntry({ a: 1, b: 2 })).toMatchObject([...columns, { column: 'a' }, { column: 'b' }]);
});

test.each([
  [null, 'null'],
  [undefined, 'undefined'],
  [[valid], 'an array'],
  [n('17'), '17'],
  ['1,1,sold', '"1,1,sold"'],
])('%p is no entry', (value, shown) => {
  const reason = `An entry must be an object with petId, quantity and status, not ${shown}.`;
  expect(checkEntry(value)).toEqual([{ reason }]);
});

test.each([
  ['x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
  [n('1'.repeat(41)), `${'1'.repeat(40)}…`],
  ['"\n', '"\\"\\n"'],
  [{}, 'an object'],
])('an excerpt of %p is %s', (value, shown) => {
  expect(excerpt(value)).toBe(shown);
});

test.each<[what: string, entryOf: (length: number) => unknown]>([
  ['a quantity', (length) => ({ quantity: n(`1.${'0'.repeat(length)}1`) })],
  ['a quantity that is not a number', (length) => ({ quantity: `${'1'.repeat(length)}x` })],
  ['a rounded petId', (length) => ({ petId: `1.${'1'.repeat(length)}E+` })],
  ['a status', (length) => ({ status: '\u0001'.repeat(length) })],
  ['a key', (length) => ({ ['x'.repeat(length)]: 1 })],
  [
    'many keys',
    (length) =>
      Object.fromEntries(Array.from({ length: length / 10 }, (_value, i) => [`k${i}`, 1])),
  ],
])('the time to check %s grows at most linearly with its length', (_what, entryOf) => {
  expect(isLinear(checkEntry, entryOf)).toBe(true);
});
