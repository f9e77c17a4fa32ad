import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { keyInText } from '../../../ops/keys/key-in-text.ts';

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

const wrongDigit = apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
const swapped = `petstore_prod_${'01'.repeat(24)}`;
const form = 'A key is petstore_STAGE_ followed by 48 hex digits.';

test.each([
  { what: 'nothing', text: '', message: `There is no API key in this. ${form}` },
  {
    what: 'no key',
    text: 'Authorization: Bearer x',
    message: `There is no API key in this. ${form}`,
  },
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

test.each([
  { what: 'a wrong digit', text: wrongDigit },
  { what: 'other digits', text: swapped },
])('a key with $what has a wrong checksum', ({ text }) => {
  const message = 'This is no API key that was ever issued: its checksum is wrong.';
  expect(() => keyInText(text)).toThrow(expect.objectContaining({ code: 'invalid', message }));
});
