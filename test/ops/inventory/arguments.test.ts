import { expect, test } from '@jest/globals';
import {
  parseLimit,
  parsePetId,
  parseQuantity,
  parseStoredPetId,
} from '../../../ops/inventory/arguments.ts';

const [smallest, largest] = ['-9223372036854775808', '9223372036854775807'];
const longest = '1'.repeat(130);

test.each<{ parse: (text: string) => unknown; text: string; value: unknown }>([
  { parse: parsePetId, text: '0', value: '0' },
  { parse: parsePetId, text: '42', value: '42' },
  { parse: parsePetId, text: smallest, value: smallest },
  { parse: parsePetId, text: largest, value: largest },
  { parse: parseStoredPetId, text: '0', value: '0' },
  { parse: parseStoredPetId, text: '-42', value: '-42' },
  { parse: parseStoredPetId, text: '0.5', value: '0.5' },
  { parse: parseStoredPetId, text: '1e+120', value: '1e+120' },
  { parse: parseStoredPetId, text: '-1.5E-3', value: '-1.5E-3' },
  {
    parse: parseStoredPetId,
    text: `${longest}.${longest}e100`,
    value: `${longest}.${longest}e100`,
  },
  { parse: parseQuantity, text: '0', value: 0 },
  { parse: parseQuantity, text: '42', value: 42 },
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
  { parse: parsePetId, text: '042', reason: 'Did you mean 42?' },
  { parse: parsePetId, text: '-042', reason: 'Did you mean -42?' },
  { parse: parsePetId, text: '+42', reason: 'Did you mean 42?' },
  { parse: parsePetId, text: '00', reason: 'Did you mean 0?' },
  { parse: parsePetId, text: '-0', reason: 'Did you mean 0?' },
  { parse: parsePetId, text: '9223372036854775808', reason: isInt64 },
  { parse: parsePetId, text: '09223372036854775808', reason: isInt64 },
  { parse: parsePetId, text: '1.5', reason: isInt64 },
  { parse: parsePetId, text: '', reason: isInt64 },
  { parse: parseStoredPetId, text: '042', reason: 'Did you mean 42?' },
  { parse: parseStoredPetId, text: '+42', reason: 'Did you mean 42?' },
  { parse: parseStoredPetId, text: '0x2a', reason: isNumber },
  { parse: parseStoredPetId, text: 'x42', reason: isNumber },
  { parse: parseStoredPetId, text: '42x', reason: isNumber },
  { parse: parseStoredPetId, text: '1,5', reason: isNumber },
  { parse: parseStoredPetId, text: '.5', reason: isNumber },
  { parse: parseStoredPetId, text: '1e1000', reason: isNumber },
  { parse: parseStoredPetId, text: `${longest}1`, reason: isNumber },
  { parse: parseStoredPetId, text: `1.${longest}1`, reason: isNumber },
  { parse: parseQuantity, text: '007', reason: 'Did you mean 7?' },
  { parse: parseQuantity, text: '+7', reason: 'Did you mean 7?' },
  { parse: parseQuantity, text: '-0', reason: 'Did you mean 0?' },
  { parse: parseQuantity, text: '-7', reason: isQuantity },
  { parse: parseQuantity, text: '-07', reason: isQuantity },
  { parse: parseQuantity, text: '1.5', reason: isQuantity },
  { parse: parseQuantity, text: '1e2', reason: isQuantity },
  { parse: parseQuantity, text: 'many', reason: isQuantity },
  { parse: parseQuantity, text: '', reason: isQuantity },
  { parse: parseQuantity, text: '9007199254740992', reason: isQuantity },
  { parse: parseLimit, text: '0', reason: isLimit },
  { parse: parseLimit, text: '10001', reason: isLimit },
  { parse: parseLimit, text: '100000', reason: isLimit },
  { parse: parseLimit, text: '-1', reason: isLimit },
  { parse: parseLimit, text: '1.5', reason: isLimit },
  { parse: parseLimit, text: 'all', reason: isLimit },
  { parse: parseLimit, text: '', reason: isLimit },
])('$parse.name rejects $text', ({ parse, text, reason }) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ code: 'commander.invalidArgument', message: reason }),
  );
});
