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
  ['nothing', '', `There is no API key in this. ${form}`],
  ['no key', 'Authorization: Bearer x', `There is no API key in this. ${form}`],
  ['digits alone', digits, `There is no API key in this. ${form}`],
  ['a key that is cut off', apiKey.slice(0, -1), `This is not an API key. ${form} This has 47.`],
  ['a key that goes on', `${apiKey}0`, `This is not an API key. ${form} This has 49.`],
  ['a key with an x', apiKey.replace(/.$/, 'x'), `This is not an API key. ${form}`],
  [
    'a key in capitals',
    `petstore_prod_${digits.toUpperCase()}A`,
    `This is not an API key. ${form} This has 49.`,
  ],
  ['a key of no stage', `petstore_dev_${digits}`, `This is not an API key. ${form}`],
  ['two keys', `${apiKey} ${other}`, 'There are 2 keys in this. Give one at a time.'],
])('%s is no key', (_what, text, message) => {
  expect(() => keyInText(text)).toThrow(expect.objectContaining({ code: 'invalid', message }));
});

test.each([
  ['a wrong digit', wrongDigit],
  ['other digits', swapped],
])('a key with %s has a wrong checksum', (_what, text) => {
  const message = 'This is no API key that was ever issued: its checksum is wrong.';
  expect(() => keyInText(text)).toThrow(expect.objectContaining({ code: 'invalid', message }));
});
