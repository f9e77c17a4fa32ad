import { expect, test } from '@jest/globals';
import { parseExpiry, parseName } from '../../../ops/keys/arguments.ts';

test.each(['x', "-Ann's Größe 店 🐾", 'x'.repeat(64)])('%j can be the name of a key', (name) => {
  expect(parseName(name)).toBe(name);
});

test.each(['', '  ', 'x'.repeat(65), 'a\u001b[2Jb', 'a\u200db', '--read-only', 'petstore_prod_0'])(
  '%j cannot be the name of a key',
  (name) => {
    expect(() => parseName(name)).toThrow(
      'It must have 1 to 64 letters, digits, symbols or spaces.',
    );
  },
);

test.each([
  ['30m', 1_800],
  ['24h', 86_400],
  ['90d', 7_776_000],
  ['never', Infinity],
])('%s is %i seconds', (text, seconds) => {
  expect(parseExpiry(text)).toBe(seconds);
});

test.each(['', '0d', '90s', '100000d', '2027-01-31'])('%j is no time for a key', (text) => {
  expect(() => parseExpiry(text)).toThrow('Write a duration such as 30m, 24h or 90d, or never.');
});
