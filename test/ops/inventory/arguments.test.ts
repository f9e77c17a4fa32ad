import { expect, test } from '@jest/globals';
import {
  parseLimit,
  parsePetId,
  parseQuantity,
  parseStoredPetId,
} from '../../../ops/inventory/arguments.ts';

const [smallest, largest] = ['-9223372036854775808', '9223372036854775807'];
const longest = '1'.repeat(130);

test.each<[(text: string) => unknown, string, unknown]>([
  [parsePetId, '0', '0'],
  [parsePetId, '42', '42'],
  [parsePetId, smallest, smallest],
  [parsePetId, largest, largest],
  [parseStoredPetId, '0', '0'],
  [parseStoredPetId, '-42', '-42'],
  [parseStoredPetId, '0.5', '0.5'],
  [parseStoredPetId, '1e+120', '1e+120'],
  [parseStoredPetId, '-1.5E-3', '-1.5E-3'],
  [parseStoredPetId, `${longest}.${longest}e100`, `${longest}.${longest}e100`],
  [parseQuantity, '0', 0],
  [parseQuantity, '42', 42],
  [parseQuantity, '9007199254740991', 9_007_199_254_740_991],
  [parseLimit, '1', 1],
  [parseLimit, '10000', 10_000],
])('%p takes %s', (parse, text, value) => {
  expect(parse(text)).toBe(value);
});

const isInt64 = 'It must be an int64, in digits without leading zeros.';
const isNumber = 'It must be a number.';
const isQuantity = 'It must be an integer from 0 to 9007199254740991.';
const isLimit = 'It must be a number from 1 to 10000. An export has all entries.';

test.each<[(text: string) => unknown, string, string]>([
  [parsePetId, '042', 'Did you mean 42?'],
  [parsePetId, '-042', 'Did you mean -42?'],
  [parsePetId, '+42', 'Did you mean 42?'],
  [parsePetId, '00', 'Did you mean 0?'],
  [parsePetId, '-0', 'Did you mean 0?'],
  [parsePetId, '9223372036854775808', isInt64],
  [parsePetId, '09223372036854775808', isInt64],
  [parsePetId, '1.5', isInt64],
  [parsePetId, '', isInt64],
  [parseStoredPetId, '042', 'Did you mean 42?'],
  [parseStoredPetId, '+42', 'Did you mean 42?'],
  [parseStoredPetId, '0x2a', isNumber],
  [parseStoredPetId, 'x42', isNumber],
  [parseStoredPetId, '42x', isNumber],
  [parseStoredPetId, '1,5', isNumber],
  [parseStoredPetId, '.5', isNumber],
  [parseStoredPetId, '1e1000', isNumber],
  [parseStoredPetId, `${longest}1`, isNumber],
  [parseStoredPetId, `1.${longest}1`, isNumber],
  [parseQuantity, '007', 'Did you mean 7?'],
  [parseQuantity, '+7', 'Did you mean 7?'],
  [parseQuantity, '-0', 'Did you mean 0?'],
  [parseQuantity, '-7', isQuantity],
  [parseQuantity, '-07', isQuantity],
  [parseQuantity, '1.5', isQuantity],
  [parseQuantity, '1e2', isQuantity],
  [parseQuantity, 'many', isQuantity],
  [parseQuantity, '', isQuantity],
  [parseQuantity, '9007199254740992', isQuantity],
  [parseLimit, '0', isLimit],
  [parseLimit, '10001', isLimit],
  [parseLimit, '100000', isLimit],
  [parseLimit, '-1', isLimit],
  [parseLimit, '1.5', isLimit],
  [parseLimit, 'all', isLimit],
  [parseLimit, '', isLimit],
])('%p rejects %j', (parse, text, reason) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ code: 'commander.invalidArgument', message: reason }),
  );
});
