import { beforeAll, expect, jest, test } from '@jest/globals';
import { parseExpiry, parseName, parseNewExpiry } from '../../../ops/keys/arguments.ts';

const now = 1_800_000_000;
beforeAll(() => {
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
});

test.each([
  ['45m', now + 45 * 60],
  ['36h', now + 36 * 3_600],
  ['90d', now + 90 * 86_400],
  ['2027-01-15T08:00:01Z', now + 1],
  ['2999-01-31', Date.UTC(2999, 0, 31) / 1000],
  ['2999-01-31T12:00+02:00', Date.UTC(2999, 0, 31, 10) / 1000],
  ['never', Infinity],
])('an end may be %s', (text, end) => expect(parseNewExpiry(text)).toBe(end));

const format = 'Write a duration as 24h or 90d, a date as 2027-01-31, or 2027-01-31T12:00:00Z.';

test.each([
  ['2027-01-15T08:00:00Z', 'It must be in the future.'],
  ['tomorrow', format],
  ['2999-02-29', format],
  ['2999-04-31T12:00Z', format],
  ['2999-04-30T25:00Z', format],
  ['never', format],
  ['0d', 'Write a duration as 30m, 24h or 90d.'],
])('the end of a new key may not be %s', (text, reason) => expect(() => parseExpiry(text)).toThrow(reason));

test('a name is trimmed', () => expect(parseName(` ${'x'.repeat(64)} `)).toBe('x'.repeat(64)));

test.each(['', ' ', 'two\nlines', '\u001b[31mred', 'x'.repeat(65)])('a name may not be %j', (name) =>
  expect(() => parseName(name)).toThrow('It must have 1 to 64 letters, digits, symbols or spaces, on one line.'),
);
