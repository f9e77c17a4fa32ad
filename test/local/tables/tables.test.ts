import { afterEach, expect, test } from '@jest/globals';
import { startEngine } from '../../../local/tables/tables.ts';

const outside = process.env;
afterEach(() => {
  process.env = outside;
});

test('another engine is used as it is, if the environment names one', async () => {
  process.env = { ...outside, PETSTORE_DYNAMODB_URL: 'http://localhost:8000' };
  expect((await startEngine()).endpoint).toBe('http://localhost:8000');
});
