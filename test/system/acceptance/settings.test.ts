import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { readSettings } from '../../acceptance/settings.ts';
import { textOf } from '../../support/docs/markdown.ts';

const staging = createApiKey('staging');
const prod = createApiKey('prod');
const baseUrl = 'http://127.0.0.1:3000/staging/v1';
const deployed = 'https://a1b2c3.execute-api.eu-west-1.amazonaws.com';
const local = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: staging };

test('a base URL and a key are enough for a run that changes and restores quantities', () => {
  expect(readSettings(local)).toStrictEqual({
    baseUrl,
    apiKey: staging,
    stageName: 'staging',
    readOnly: false,
    keyMayWrite: true,
  });
});

test.each([
  { url: `${deployed}/staging/v1`, is: `${deployed}/staging/v1` },
  { url: 'https://pets.example:8443/v1/\n', is: 'https://pets.example:8443/v1' },
  { url: 'http://localhost:3000/staging/v1', is: 'http://localhost:3000/staging/v1' },
  { url: 'http://[::1]:3000/staging/v1', is: 'http://[::1]:3000/staging/v1' },
])('PETSTORE_BASE_URL may be $url', ({ url, is }) => {
  expect(readSettings({ ...local, PETSTORE_BASE_URL: url }).baseUrl).toBe(is);
});

test.each([
  { wrong: 'missing', url: undefined },
  { wrong: 'without a scheme', url: 'pets.example/v1' },
  { wrong: 'without TLS', url: `http${deployed.slice('https'.length)}/staging/v1` },
  { wrong: 'without TLS to what begins like this machine', url: 'http://localhost.example/v1' },
  { wrong: 'without /v1', url: `${deployed}/staging` },
  { wrong: 'of an operation', url: `${deployed}/staging/v1/inventory` },
  { wrong: 'with a query', url: 'https://pets.example/?x=/v1' },
  { wrong: 'with a user', url: `https://${staging}@pets.example/v1` },
  { wrong: 'a key', url: staging },
])('PETSTORE_BASE_URL may not be $wrong, and is not printed', ({ url }) => {
  expect(() => readSettings({ ...local, PETSTORE_BASE_URL: url })).toThrow(
    new Error(
      'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: ' +
        'it begins with https:// (on this machine, http:// will do) and ends in /v1.',
    ),
  );
});

test('PETSTORE_API_KEY may come with what a file or a header adds to it', () => {
  const PETSTORE_API_KEY = `\ufeffbearer  ${staging}\r\n`;
  expect(readSettings({ ...local, PETSTORE_API_KEY }).apiKey).toBe(staging);
});

const last = staging.at(-1) === '0' ? '1' : '0';
const malformed = 'its form or its checksum is wrong';

test.each([
  { wrong: 'missing', key: undefined, reason: 'it is missing' },
  { wrong: 'empty', key: ' \n', reason: 'it is missing' },
  { wrong: 'mistyped', key: staging.slice(0, -1) + last, reason: malformed },
  { wrong: 'two keys', key: `${staging} ${staging}`, reason: malformed },
])('PETSTORE_API_KEY may not be $wrong, and is not printed', ({ key, reason }) => {
  expect(() => readSettings({ ...local, PETSTORE_API_KEY: key })).toThrow(
    new Error(
      `PETSTORE_API_KEY must be an API key as \`petstore keys create\` has printed it: ${reason}.`,
    ),
  );
});

test.each([
  { key: staging, variables: { READ_ONLY: 'false', KEY_ACCESS: 'write' }, reads: false },
  { key: staging, variables: { READ_ONLY: 'true' }, reads: true },
  { key: prod, variables: {}, reads: true },
  { key: prod, variables: { READ_ONLY: 'false' }, reads: true },
  { key: prod, variables: { ACCEPTANCE_MAY_WRITE_TO_PROD: 'no' }, reads: true },
  { key: prod, variables: { ACCEPTANCE_MAY_WRITE_TO_PROD: 'yes' }, reads: false },
  { key: prod, variables: { ACCEPTANCE_MAY_WRITE_TO_PROD: 'yes', READ_ONLY: 'true' }, reads: true },
])('whether a run with $variables only reads: $reads', ({ key, variables, reads }) => {
  const settings = readSettings({ ...local, PETSTORE_API_KEY: key, ...variables });
  expect(settings.readOnly).toBe(reads);
});

test('with KEY_ACCESS=read, the key may not write', () => {
  expect(readSettings({ ...local, KEY_ACCESS: 'read' }).keyMayWrite).toBe(false);
});

test.each([
  { name: 'READ_ONLY', values: 'false or true' },
  { name: 'KEY_ACCESS', values: 'write or read' },
  { name: 'ACCEPTANCE_MAY_WRITE_TO_PROD', values: 'no or yes' },
])('$name has no other value than $values', ({ name, values }) => {
  for (const value of ['', '1', values.toUpperCase(), prod]) {
    expect(() => readSettings({ ...local, PETSTORE_API_KEY: prod, [name]: value })).toThrow(
      new Error(`${name} must be ${values}, or not be set.`),
    );
  }
});

test('no file of the acceptance tests is left out of a run', () => {
  const files = globSync('test/acceptance/*.ts');
  const imported = files.flatMap((file) => textOf(file).match(/(?<= '\.\/).*(?=';$)/gm) ?? []);
  const others = files.map((file) => basename(file)).filter((file) => !imported.includes(file));
  // Jest loads these.
  expect(others.sort()).toStrictEqual(['contract.acceptance.ts', 'global-setup.ts']);
});
