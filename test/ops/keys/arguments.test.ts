import { expect, jest, test } from '@jest/globals';
import {
  parseDuration,
  parseExpiry,
  parseName,
  parseNewExpiry,
} from '../../../ops/keys/arguments.ts';

const now = Date.UTC(2027, 0, 15, 8);
jest.spyOn(Date, 'now').mockReturnValue(now);

const timeOf = (text: string): string => new Date(parseExpiry(text) * 1000).toISOString();

test.each([
  { text: '45m', time: '2027-01-15T08:45:00.000Z' },
  { text: '36h', time: '2027-01-16T20:00:00.000Z' },
  { text: '90d', time: '2027-04-15T08:00:00.000Z' },
  { text: '2027-01-15T08:00:01Z', time: '2027-01-15T08:00:01.000Z' },
  { text: '2999-01-31', time: '2999-01-31T00:00:00.000Z' },
  { text: '2999-01-31T12:00+02:00', time: '2999-01-31T10:00:00.000Z' },
])('$text is $time', ({ text, time }) => {
  expect(timeOf(text)).toBe(time);
});

test('a new end may be never', () => {
  expect(parseNewExpiry('never')).toBe(Infinity);
  expect(parseNewExpiry('45m')).toBe(now / 1000 + 45 * 60);
});

const form =
  'Write a duration such as 90d, a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.';
const past = 'It must be in the future.';
const duration = 'Write a duration such as 30m, 24h or 90d.';
const nameRule =
  'It must have 1 to 64 letters, digits, symbols or spaces, on one line, and not begin with --.';

test.each<{ parse: (text: string) => unknown; text: string; reason: string }>([
  { parse: parseExpiry, text: '', reason: form },
  { parse: parseExpiry, text: 'tomorrow', reason: form },
  { parse: parseExpiry, text: 'never', reason: form },
  { parse: parseExpiry, text: '2027-02-30', reason: form },
  { parse: parseExpiry, text: '2027-13-01', reason: form },
  { parse: parseExpiry, text: '2027-01-15T08:00:00Z', reason: past },
  { parse: parseExpiry, text: '2027-01-15', reason: past },
  { parse: parseExpiry, text: '90s', reason: duration },
  { parse: parseDuration, text: '0d', reason: duration },
  { parse: parseDuration, text: '1000000d', reason: duration },
  { parse: parseDuration, text: '1.5h', reason: duration },
  { parse: parseName, text: '', reason: nameRule },
  { parse: parseName, text: '  ', reason: nameRule },
  { parse: parseName, text: 'x'.repeat(65), reason: nameRule },
  { parse: parseName, text: 'a\nb', reason: nameRule },
  { parse: parseName, text: 'a\u001b[2Jb', reason: nameRule },
  { parse: parseName, text: 'a\u202eb', reason: nameRule },
  { parse: parseName, text: '--read-only', reason: nameRule },
])('$parse.name rejects $text', ({ parse, text, reason }) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ code: 'commander.invalidArgument', message: reason }),
  );
});

test.each([
  { text: 'shop', name: 'shop' },
  { text: '  shop, Berlin ', name: 'shop, Berlin' },
  { text: "Ann's Größe 店 🐾", name: "Ann's Größe 店 🐾" },
  { text: 'x'.repeat(64), name: 'x'.repeat(64) },
])('$text names a key $name', ({ text, name }) => {
  expect(parseName(text)).toBe(name);
});
