import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import { type Dynamodb, scanEntries, startDynamodb } from '../support/dynamodb.ts';
import { createTable, engineClient, engineEndpoint } from '../support/engine-table.ts';
import { eventOf, patchEvent } from '../support/functions.ts';

/** Bytes: less than anything that could be kept of each request, and more than a heap varies. */
const keptOfRequest = 200;

const memoryOf = async (name: string, requests: number, events: object[], environment: Record<string, string>) => {
  const script = join(import.meta.dirname, '../support/memory-of.ts');
  const args = ['--expose-gc', script, name, String(requests), JSON.stringify(events)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...environment } });
  return JSON.parse(stdout) as { growth: number; peak: number };
};

describe('the memory of an instance', () => {
  let dynamodb: Dynamodb;
  beforeAll(async () => {
    dynamodb = await startDynamodb();
  });
  afterAll(() => dynamodb.close());

  test('holds nothing of the updates that it has made', async () => {
    const INVENTORY_TABLE_NAME = await createTable('petId', 'N');
    const Item = { petId: { N: '1' }, quantity: { N: '1' }, status: { S: 'sold' } };
    await engineClient.send(new PutItemCommand({ TableName: INVENTORY_TABLE_NAME, Item }));
    const events = ['1', '404', 'x'].map((petId) => patchEvent(petId, '{"quantity":7}'));
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: engineEndpoint, INVENTORY_TABLE_NAME };
    expect((await memoryOf('update-inventory', 3_000, events, environment)).growth).toBeLessThan(3_000 * keptOfRequest);
  });

  test('holds nothing of the keys that it has checked', async () => {
    const API_KEYS_TABLE_NAME = await createTable('keyHash', 'S');
    const apiKey = createApiKey('staging');
    const Item = { keyHash: { S: hashApiKey(apiKey) }, keyId: { S: 'key-1' } };
    await engineClient.send(new PutItemCommand({ TableName: API_KEYS_TABLE_NAME, Item }));
    const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:api/staging/GET/v1/inventory';
    const events = [apiKey, createApiKey('staging'), 'x'].map((key) => ({
      authorizationToken: `Bearer ${key}`,
      methodArn,
    }));
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: engineEndpoint, API_KEYS_TABLE_NAME };
    expect((await memoryOf('authorizer', 3_000, events, environment)).growth).toBeLessThan(3_000 * keptOfRequest);
  });

  const list = (requests: number, entries: number, headers = {}) => {
    dynamodb.scan = scanEntries(entries);
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint, INVENTORY_TABLE_NAME: 'inventory' };
    return memoryOf('list-inventory', requests, [eventOf({ headers })], environment);
  };

  test('holds nothing of the lists that it has sent', async () => {
    expect((await list(2_000, 10)).growth).toBeLessThan(2_000 * keptOfRequest);
  });

  test.each([{}, { 'Accept-Encoding': ['gzip'] }])(
    'is the same for a million entries as for fewer (%j)',
    async (headers) => {
      // As much work for the garbage collector as the million is. How much it is in all, npm run bench:list measures.
      const short = await list(10, 100_000, headers);
      const long = await list(1, 1_000_000, headers);
      expect(long.peak / short.peak).toBeLessThan(1.3);
    },
  );
});
