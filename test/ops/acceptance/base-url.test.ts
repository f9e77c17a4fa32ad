import { expect, test } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { parseBaseUrl } from '../../../ops/acceptance/base-url.ts';

test.each([
  'https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com/prod/v1',
  'https://a1b2c3d4e5.execute-api.cn-north-1.amazonaws.com.cn/staging/v1',
  'https://pets.example/v1',
  'http://127.0.0.1:3000/staging/v1',
  'http://localhost:3000/prod/v1',
])('acceptance takes the base URL %s, with a final slash or without', (baseUrl) => {
  expect([parseBaseUrl(baseUrl), parseBaseUrl(`${baseUrl}/`)]).toEqual([baseUrl, baseUrl]);
});

test.each([
  { baseUrl: 'https://a1b2.execute-api.eu-west-1.amazonaws.com/v1', wrong: 'no stage' },
  { baseUrl: 'https://a1b2.execute-api.eu-west-1.amazonaws.com/prod/x/v1', wrong: 'a folder' },
  { baseUrl: 'http://a1b2.execute-api.eu-west-1.amazonaws.com/prod/v1', wrong: 'no TLS' },
  { baseUrl: 'https://pets.example/prod/v1', wrong: 'a stage on a domain of its own' },
  { baseUrl: 'https://pets.example/prod/v1/inventory', wrong: 'an operation' },
  { baseUrl: 'https://pets.example/v1?x=/v1', wrong: 'a query' },
  { baseUrl: 'https://user@pets.example/v1', wrong: 'a user' },
  { baseUrl: 'http://127.0.0.1:3000/v1', wrong: 'a local run without a stage' },
  { baseUrl: 'http://127.0.0.1:99999/staging/v1', wrong: 'no port' },
  { baseUrl: 'pets.example/v1', wrong: 'no scheme' },
])('acceptance rejects $baseUrl: $wrong', ({ baseUrl }) => {
  expect(() => parseBaseUrl(baseUrl)).toThrow(InvalidArgumentError);
});
