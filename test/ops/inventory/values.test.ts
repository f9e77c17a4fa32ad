import { describe, expect, test } from '@jest/globals';
import {
  parseLimit,
  parseQuantity,
  parseStoredPetId,
  parseValidPetId,
} from '../../../ops/inventory/arguments.ts';
import { checkItem, excerpt, Numeral } from '../../../ops/inventory/check-item.ts';

const [smallest, largest] = ['-9223372036854775808', '9223372036854775807'];

describe('on the command line', () => {
  const longest = '1'.repeat(130);
  const longestNumber = `${longest}.${longest}e100`;

  test.each<{ parse: (text: string) => unknown; text: string; value: unknown }>([
    { parse: parseValidPetId, text: '0', value: '0' },
    { parse: parseValidPetId, text: smallest, value: smallest },
    { parse: parseValidPetId, text: largest, value: largest },
    { parse: parseStoredPetId, text: '0', value: '0' },
    { parse: parseStoredPetId, text: '-0.5', value: '-0.5' },
    { parse: parseStoredPetId, text: '1e+120', value: '1e+120' },
    { parse: parseStoredPetId, text: '-1.5E-3', value: '-1.5E-3' },
    { parse: parseStoredPetId, text: longestNumber, value: longestNumber },
    { parse: parseQuantity, text: '0', value: 0 },
    { parse: parseQuantity, text: '9007199254740991', value: 9_007_199_254_740_991 },
    { parse: parseLimit, text: '1', value: 1 },
    { parse: parseLimit, text: '10000', value: 10_000 },
  ])('$parse.name takes $text', ({ parse, text, value }) => {
    expect(parse(text)).toBe(value);
  });

  const isInt64 = 'It must be an int64, in digits without leading zeros.';
  const isNumber = 'It must be a number.';
  const isQuantity = 'It must be an integer from 0 to 9007199254740991.';
  const isLimit = 'It must be a number from 1 to 10000. An export has all entries.';

  test.each<{ parse: (text: string) => unknown; text: string; reason: string }>([
    { parse: parseValidPetId, text: '042', reason: 'Did you mean 42?' },
    { parse: parseValidPetId, text: '-042', reason: 'Did you mean -42?' },
    { parse: parseValidPetId, text: '+42', reason: 'Did you mean 42?' },
    { parse: parseValidPetId, text: '-0', reason: 'Did you mean 0?' },
    { parse: parseValidPetId, text: '9223372036854775808', reason: isInt64 },
    { parse: parseValidPetId, text: '09223372036854775808', reason: isInt64 },
    { parse: parseValidPetId, text: '1.5', reason: isInt64 },
    { parse: parseValidPetId, text: '', reason: isInt64 },
    { parse: parseStoredPetId, text: '042', reason: 'Did you mean 42?' },
    { parse: parseStoredPetId, text: '0x2a', reason: isNumber },
    { parse: parseStoredPetId, text: 'x42', reason: isNumber },
    { parse: parseStoredPetId, text: '42x', reason: isNumber },
    { parse: parseStoredPetId, text: '1,5', reason: isNumber },
    { parse: parseStoredPetId, text: '.5', reason: isNumber },
    { parse: parseStoredPetId, text: '1e1000', reason: isNumber },
    { parse: parseStoredPetId, text: `${longest}1`, reason: isNumber },
    { parse: parseStoredPetId, text: `1.${longest}1`, reason: isNumber },
    { parse: parseQuantity, text: '007', reason: 'Did you mean 7?' },
    { parse: parseQuantity, text: '-07', reason: isQuantity },
    { parse: parseQuantity, text: '1.5', reason: isQuantity },
    { parse: parseQuantity, text: '1e2', reason: isQuantity },
    { parse: parseQuantity, text: '', reason: isQuantity },
    { parse: parseQuantity, text: '9007199254740992', reason: isQuantity },
    { parse: parseLimit, text: '0', reason: isLimit },
    { parse: parseLimit, text: '10001', reason: isLimit },
    { parse: parseLimit, text: '-1', reason: isLimit },
    { parse: parseLimit, text: '1.5', reason: isLimit },
    { parse: parseLimit, text: '', reason: isLimit },
  ])('$parse.name rejects $text', ({ parse, text, reason }) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'commander.invalidArgument', message: reason }),
    );
  });
});

describe('in a file', () => {
  const n = (text: string) => new Numeral(text);
  const valid = { petId: n('1'), quantity: n('1'), status: 'sold' };

  test.each([
    { given: { petId: n('0') }, read: { petId: 0n } },
    { given: { petId: n(smallest) }, read: { petId: -(2n ** 63n) } },
    { given: { petId: n(largest) }, read: { petId: 2n ** 63n - 1n } },
    { given: { quantity: n('0') }, read: { quantity: 0 } },
    { given: { quantity: n('9007199254740991') }, read: { quantity: 2 ** 53 - 1 } },
    { given: { quantity: n('1.5E+02') }, read: { quantity: 150 } },
    { given: { status: 'available' }, read: { status: 'available' } },
    { given: { status: 'pending' }, read: { status: 'pending' } },
  ])('an entry with $given is valid', ({ given, read }) => {
    const item = { petId: 1n, quantity: 1, status: 'sold', ...read };
    expect(checkItem({ ...valid, ...given })).toEqual(item);
  });

  const rules = {
    petId: `petId must be an integer from ${smallest} to ${largest}, in digits without leading zeros`,
    quantity: 'quantity must be an integer from 0 to 9007199254740991',
    status: 'status must be available, pending or sold',
  };
  const rounded =
    ' A spreadsheet has rounded it: format its column as text, and enter the numbers again.';

  test.each<{ wrong: object; shown: string; cause?: string }>([
    { wrong: { petId: '01' }, shown: '"01"' },
    { wrong: { petId: n('9223372036854775808') }, shown: '9223372036854775808' },
    { wrong: { petId: n('3.0') }, shown: '3.0' },
    { wrong: { petId: '2' }, shown: '"2"' },
    { wrong: { petId: n('1.23457E+12') }, shown: '1.23457E+12', cause: rounded },
    { wrong: { petId: '-1,2E+12' }, shown: '"-1,2E+12"', cause: rounded },
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
    { wrong: { quantity: '1E+11' }, shown: '"1E+11"', cause: rounded },
    { wrong: { status: 'gone' }, shown: '"gone"' },
    { wrong: { status: null }, shown: 'null' },
  ])('an entry with $wrong is invalid', ({ wrong, shown, cause = '' }) => {
    const [column] = Object.keys(wrong) as [keyof typeof rules];
    const reason = `${rules[column]}, not ${shown}.${cause}`;
    expect(checkItem({ ...valid, ...wrong })).toEqual([{ reason, column, value: shown }]);
  });

  test('everything that is wrong with an entry is named', () => {
    expect(checkItem({ colour: 'red', size: n('3') })).toEqual([
      { reason: `${rules.petId}; it is missing.`, column: 'petId' },
      { reason: `${rules.quantity}; it is missing.`, column: 'quantity' },
      { reason: `${rules.status}; it is missing.`, column: 'status' },
      { reason: '"colour" is not a property of an entry.', column: 'colour' },
      { reason: '"size" is not a property of an entry.', column: 'size' },
    ]);
  });

  test('an entry with one property too many is invalid', () => {
    const problem = { reason: '"colour" is not a property of an entry.', column: 'colour' };
    expect(checkItem({ ...valid, colour: 'red' })).toEqual([problem]);
  });

  test.each([
    { value: null, shown: 'null' },
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
  ])('an error shows $value as $shown', ({ value, shown }) => {
    expect(excerpt(value)).toBe(shown);
  });
});
