import { expect, test } from '@jest/globals';
import { checkItem, excerpt, Numeral } from '../../../ops/inventory/check-item.ts';

const n = (text: string) => new Numeral(text);
const valid = { petId: n('1'), quantity: n('1'), status: 'sold' };

test.each([
  { value: valid, item: {} },
  { value: { ...valid, petId: n('0') }, item: { petId: 0n } },
  { value: { ...valid, petId: n('-9223372036854775808') }, item: { petId: -(2n ** 63n) } },
  { value: { ...valid, petId: n('9223372036854775807') }, item: { petId: 2n ** 63n - 1n } },
  { value: { ...valid, quantity: n('0') }, item: { quantity: 0 } },
  { value: { ...valid, quantity: n('9007199254740991') }, item: { quantity: 2 ** 53 - 1 } },
  { value: { ...valid, quantity: n('1e2') }, item: { quantity: 100 } },
  { value: { ...valid, quantity: n('1.0') }, item: { quantity: 1 } },
  { value: { ...valid, status: 'available' }, item: { status: 'available' } },
  { value: { ...valid, status: 'pending' }, item: { status: 'pending' } },
])('$value is an item', ({ value, item }) => {
  expect(checkItem(value)).toEqual({ petId: 1n, quantity: 1, status: 'sold', ...item });
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
  expect(checkItem({ ...valid, ...wrong })).toEqual([{ reason, column, value: shown }]);
});

test.each(['petId', 'quantity', 'status'] as const)('an entry without %s is invalid', (column) => {
  const problem = { reason: `${rules[column]}; it is missing.`, column };
  expect(checkItem({ ...valid, [column]: undefined })).toEqual([problem]);
});

test('an entry with another property is invalid', () => {
  const problem = { reason: '"colour" is not a property of an entry.', column: 'colour' };
  expect(checkItem({ ...valid, colour: 'red' })).toEqual([problem]);
});

test('every problem of an entry is named', () => {
  const columns = [{ column: 'petId' }, { column: 'quantity' }, { column: 'status' }];
  expect(checkItem({ a: 1, b: 2 })).toMatchObject([...columns, { column: 'a' }, { column: 'b' }]);
});

test.each([
  { value: null, shown: 'null' },
  { value: undefined, shown: 'undefined' },
  { value: [valid], shown: 'an array' },
  { value: n('17'), shown: '17' },
  { value: '1,1,sold', shown: '"1,1,sold"' },
])('$value is no entry', ({ value, shown }) => {
  const reason = `An entry must be an object with petId, quantity and status, not ${shown}.`;
  expect(checkItem(value)).toEqual([{ reason }]);
});

test.each([
  { value: 'x'.repeat(40), shown: `"${'x'.repeat(40)}"` },
  { value: 'x'.repeat(41), shown: `"${'x'.repeat(40)}…"` },
  { value: n('1'.repeat(41)), shown: `${'1'.repeat(40)}…` },
  { value: '"\n', shown: '"\\"\\n"' },
  { value: {}, shown: 'an object' },
])('an excerpt of $value is $shown', ({ value, shown }) => {
  expect(excerpt(value)).toBe(shown);
});
