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

const rules = {
  petId:
    'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
    'in digits without leading zeros',
  quantity: 'quantity must be an integer from 0 to 9007199254740991',
  status: 'status must be available, pending or sold',
};
const rounded =
  ' A spreadsheet has rounded it: format its column as text, and enter the numbers again.';

const wrongValues = [
  { wrong: { petId: n('01') }, shown: '01' },
  { wrong: { petId: n('9223372036854775808') }, shown: '9223372036854775808' },
  { wrong: { petId: n('3.0') }, shown: '3.0' },
  { wrong: { petId: '2' }, shown: '"2"' },
  { wrong: { petId: 2 }, shown: '2' },
  { wrong: { petId: n('1.23457E+12') }, shown: '1.23457E+12', isRounded: true },
  { wrong: { petId: '1,2E+12' }, shown: '"1,2E+12"', isRounded: true },
  { wrong: { petId: '-1E+18' }, shown: '"-1E+18"', isRounded: true },
  { wrong: { petId: '12.3E+12' }, shown: '"12.3E+12"' },
  { wrong: { petId: 'A1.2E+12' }, shown: '"A1.2E+12"' },
  { wrong: { petId: '1.2E+12 or so' }, shown: '"1.2E+12 or so"' },
  { wrong: { petId: { toString: 1 } }, shown: 'an object' },
  { wrong: { quantity: n('-1') }, shown: '-1' },
  { wrong: { quantity: n('1.5') }, shown: '1.5' },
  { wrong: { quantity: n('9007199254740992') }, shown: '9007199254740992' },
  { wrong: { quantity: n('4503599627370496.4999999999') }, shown: '4503599627370496.4999999999' },
  { wrong: { quantity: true }, shown: 'true' },
  { wrong: { quantity: [1] }, shown: 'an array' },
  { wrong: { quantity: '1E+11' }, shown: '"1E+11"', isRounded: true },
  { wrong: { status: 'gone' }, shown: '"gone"' },
  { wrong: { status: null }, shown: 'null' },
];

test.each(wrongValues)('an entry with $wrong is invalid', ({ wrong, shown, isRounded }) => {
  const [column] = Object.keys(wrong) as [keyof typeof rules];
  const cause = isRounded ? rounded : '';
  const reason = `${rules[column]}, not ${shown}.${cause}`;
  expect(checkEntry({ ...valid, ...wrong })).toEqual([{ reason, column, value: shown }]);
});

test.each(['petId', 'quantity', 'status'] as const)('an entry without %s is invalid', (column) => {
  const problem = { reason: `${rules[column]}; it is missing.`, column };
  expect(checkEntry({ ...valid, [column]: undefined })).toEqual([problem]);
});

test('an entry with another property is invalid', () => {
  const problem = { reason: '"colour" is not a property of an entry.', column: 'colour' };
  expect(checkEntry({ ...valid, colour: 'red' })).toEqual([problem]);
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
