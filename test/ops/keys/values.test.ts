import { expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import {
  parseDuration,
  parseExpiry,
  parseName,
  parseNewExpiry,
} from '../../../ops/keys/arguments.ts';
import { keyInText } from '../../../ops/keys/key-in-text.ts';

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
])('a key that expires at $text ends at $time', ({ text, time }) => {
  expect(timeOf(text)).toBe(time);
});

test('a new end may be never', () => {
  expect(parseNewExpiry('never')).toBe(Infinity);
  expect(parseNewExpiry('45m')).toBe(now / 1000 + 45 * 60);
});

const expiry =
  'Write a duration such as 90d, a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.';
const past = 'It must be in the future.';
const duration = 'Write a duration such as 30m, 24h or 90d.';
const nameRule =
  'It must have 1 to 64 letters, digits, symbols or spaces, on one line, and not begin with --.';

test.each<{ parse: (text: string) => unknown; text: string; reason: string }>([
  { parse: parseExpiry, text: '', reason: expiry },
  { parse: parseExpiry, text: 'never', reason: expiry },
  { parse: parseExpiry, text: '2027-02-30', reason: expiry },
  { parse: parseExpiry, text: '2027-01-15T08:00:00Z', reason: past },
  { parse: parseExpiry, text: '2027-01-15', reason: past },
  { parse: parseExpiry, text: '90s', reason: duration },
  { parse: parseDuration, text: '0d', reason: duration },
  { parse: parseDuration, text: '1000000d', reason: duration },
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
  { text: '  shop, Berlin ', name: 'shop, Berlin' },
  { text: "Ann's Größe 店 🐾", name: "Ann's Größe 店 🐾" },
  { text: 'x'.repeat(64), name: 'x'.repeat(64) },
])('$text names a key $name', ({ text, name }) => {
  expect(parseName(text)).toBe(name);
});

const apiKey = createApiKey('prod');
const other = createApiKey('prod');
const digits = apiKey.slice('petstore_prod_'.length);

test.each([
  apiKey,
  ` ${apiKey}\r\n`,
  `Authorization: Bearer ${apiKey}`,
  `curl -H 'Authorization: bearer ${apiKey}' http://127.0.0.1:3000/`,
  `{"level":"INFO","authorization":"Bearer ${apiKey}","status":200}`,
  `PETSTORE_API_KEY=${apiKey};`,
  `https://pets.example/#key=${apiKey}`,
  `%22${apiKey}%22`,
  `${apiKey} again: ${apiKey}`,
])('the key is found in %j', (text) => {
  expect(keyInText(text)).toEqual({ apiKey, stageName: 'prod' });
});

const form = 'A key is petstore_STAGE_ followed by 48 hex digits.';

test.each([
  { what: 'nothing', text: '', message: `There is no API key in this. ${form}` },
  { what: 'digits alone', text: digits, message: `There is no API key in this. ${form}` },
  {
    what: 'a key that is cut off',
    text: apiKey.slice(0, -1),
    message: `This is not an API key. ${form} This has 47.`,
  },
  {
    what: 'a key that goes on',
    text: `${apiKey}0`,
    message: `This is not an API key. ${form} This has 49.`,
  },
  {
    what: 'a key with an x',
    text: apiKey.replace(/.$/, 'x'),
    message: `This is not an API key. ${form}`,
  },
  {
    what: 'a key in capitals',
    text: `petstore_prod_${digits.toUpperCase()}A`,
    message: `This is not an API key. ${form} This has 49.`,
  },
  {
    what: 'a key of no stage',
    text: `petstore_dev_${digits}`,
    message: `This is not an API key. ${form}`,
  },
  {
    what: 'two keys',
    text: `${apiKey} ${other}`,
    message: 'There are 2 keys in this. Give one at a time.',
  },
])('$what is no key', ({ text, message }) => {
  expect(() => keyInText(text)).toThrow(expect.objectContaining({ code: 'invalid', message }));
});

test('a key with a wrong digit has a wrong checksum', () => {
  const text = apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const message = 'This is no API key that was ever issued: its checksum is wrong.';
  expect(() => keyInText(text)).toThrow(expect.objectContaining({ code: 'invalid', message }));
});
