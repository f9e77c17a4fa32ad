import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { readSettings, SettingsError } from '../../acceptance/settings.ts';

const staging = createApiKey('staging');
const prod = createApiKey('prod');
const local = {
  PETSTORE_BASE_URL: 'http://127.0.0.1:3000/staging/v1',
  PETSTORE_API_KEY: staging,
};
const deployed = 'https://a1b2c3.execute-api.eu-west-1.amazonaws.com';

test('a base URL and a key are enough for a run that changes and restores quantities', () => {
  expect(readSettings(local)).toStrictEqual({
    baseUrl: 'http://127.0.0.1:3000/staging/v1',
    apiKey: staging,
    stageName: 'staging',
    readOnly: false,
    keyMayWrite: true,
  });
});

describe('PETSTORE_BASE_URL', () => {
  test.each([
    `${deployed}/staging/v1`,
    'https://pets.example/v1',
    'https://pets.example:8443/v1',
    'http://localhost:3000/staging/v1',
    'http://[::1]:3000/staging/v1',
  ])('may be %s, with a final slash or a newline or without', (url) => {
    const urls = [url, `${url}/`, `${url}\n`].map(
      (text) => readSettings({ ...local, PETSTORE_BASE_URL: text }).baseUrl,
    );
    expect(urls).toStrictEqual([url, url, url]);
  });

  test.each([
    { url: undefined, wrong: 'missing' },
    { url: '', wrong: 'empty' },
    { url: 'pets.example/v1', wrong: 'without a scheme' },
    { url: `http${deployed.slice('https'.length)}/staging/v1`, wrong: 'without TLS' },
    { url: 'http://localhost.example/v1', wrong: 'another host than this machine' },
    { url: `${deployed}/staging`, wrong: 'without /v1' },
    { url: `${deployed}/staging/v1/inventory`, wrong: 'of an operation' },
    { url: 'https://pets.example/?x=/v1', wrong: 'with a query' },
    { url: 'https://pets.example/v1#/v1', wrong: 'with a fragment' },
    { url: `https://${staging}@pets.example/v1`, wrong: 'with a user' },
    { url: staging, wrong: 'a key' },
  ])('may not be $wrong', ({ url }) => {
    expect(() => readSettings({ ...local, PETSTORE_BASE_URL: url })).toThrow(
      new SettingsError(
        'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: ' +
          'it begins with https:// (on this machine, http:// will do) and ends in /v1.',
      ),
    );
  });
});

describe('PETSTORE_API_KEY', () => {
  test.each([
    { what: 'a newline after it', text: `${staging}\r\n` },
    { what: 'a byte order mark before it', text: `\ufeff${staging}` },
    { what: 'Bearer before it', text: `Bearer ${staging}` },
    { what: 'all of that', text: `\ufeffbearer  ${staging}\n\n` },
  ])('may come with $what', ({ text }) => {
    expect(readSettings({ ...local, PETSTORE_API_KEY: text }).apiKey).toBe(staging);
  });

  const last = staging.at(-1) === '0' ? '1' : '0';
  test.each([
    { wrong: 'missing', key: undefined, reason: 'it is missing' },
    { wrong: 'empty', key: ' \n', reason: 'it is missing' },
    { wrong: 'cut off', key: staging.slice(0, -1), reason: 'its form or its checksum is wrong' },
    {
      wrong: 'mistyped',
      key: staging.slice(0, -1) + last,
      reason: 'its form or its checksum is wrong',
    },
    {
      wrong: 'two keys',
      key: `${staging} ${staging}`,
      reason: 'its form or its checksum is wrong',
    },
  ])('may not be $wrong, and is not printed', ({ key, reason }) => {
    expect(() => readSettings({ ...local, PETSTORE_API_KEY: key })).toThrow(
      new SettingsError(
        `PETSTORE_API_KEY must be an API key as \`petstore keys create\` has printed it: ${reason}.`,
      ),
    );
  });

  test('may not be of another stage than the base URL', () => {
    expect(() =>
      readSettings({ PETSTORE_BASE_URL: `${deployed}/prod/v1`, PETSTORE_API_KEY: staging }),
    ).toThrow(
      new SettingsError(
        'PETSTORE_API_KEY holds a key of staging, but PETSTORE_BASE_URL is of prod.',
      ),
    );
  });
});

test.each([
  { variables: { READ_ONLY: 'false', KEY_ACCESS: 'write' }, readOnly: false, keyMayWrite: true },
  { variables: { READ_ONLY: 'true' }, readOnly: true, keyMayWrite: true },
  { variables: { KEY_ACCESS: 'read' }, readOnly: false, keyMayWrite: false },
])('$variables are allowed', ({ variables, readOnly, keyMayWrite }) => {
  expect(readSettings({ ...local, ...variables })).toMatchObject({ readOnly, keyMayWrite });
});

test.each([
  { name: 'READ_ONLY', values: 'false or true' },
  { name: 'KEY_ACCESS', values: 'write or read' },
  { name: 'ACCEPTANCE_MAY_WRITE_TO_PROD', values: 'no or yes' },
])('$name has no other value than $values', ({ name, values }) => {
  for (const value of ['', '1', values.toUpperCase(), staging]) {
    expect(() => readSettings({ ...local, [name]: value })).toThrow(
      new SettingsError(`${name} must be ${values}, or not be set.`),
    );
  }
});

test.each([
  { variables: {}, readOnly: true },
  { variables: { READ_ONLY: 'false' }, readOnly: true },
  { variables: { ACCEPTANCE_MAY_WRITE_TO_PROD: 'no' }, readOnly: true },
  { variables: { ACCEPTANCE_MAY_WRITE_TO_PROD: 'yes' }, readOnly: false },
  { variables: { ACCEPTANCE_MAY_WRITE_TO_PROD: 'yes', READ_ONLY: 'true' }, readOnly: true },
])('with a key of prod and $variables, readOnly is $readOnly', ({ variables, readOnly }) => {
  for (const PETSTORE_BASE_URL of [`${deployed}/prod/v1`, 'https://pets.example/v1']) {
    const settings = readSettings({ PETSTORE_BASE_URL, PETSTORE_API_KEY: prod, ...variables });
    expect(settings.readOnly).toBe(readOnly);
  }
});
