import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { serviceAt } from '../../../ops/acceptance/suite/http-client.ts';
import { issueApiKey } from '../../../ops/keys/issued-keys.ts';
import { faultyRun } from './faulty-run.ts';

const run = await faultyRun();

// A new key, because the authorizer's decision on it is cached for longer than the outage lasts.
const table = { client: run.tables.client, TableName: run.tables.apiKeys };
const { apiKey } = await issueApiKey(table, { stageName: 'staging', name: 'outage' });
const known = serviceAt(run.baseUrl, apiKey);

const requests = {
  update: () => known.patch(1, '{"quantity":7}'),
  list: () => known.send({ path: '/inventory' }),
  unknownKey: () => serviceAt(run.baseUrl, createApiKey('staging')).patch(1, '{"quantity":7}'),
};

/** Returns the statuses that each kind of request gets, except the 429 of lists beyond their rate. */
const statusesOf = async (count: number) => {
  const found: Record<string, number[]> = {};
  for (const [kind, send] of Object.entries(requests)) {
    const responses = await pMap(Array(count), send, { concurrency: 10 });
    const statuses = new Set(responses.map(({ status }) => status));
    statuses.delete(429);
    found[kind] = [...statuses];
  }
  return found;
};

test('during an outage of DynamoDB every response is a 5xx, and none afterwards', async () => {
  await statusesOf(10);
  const back = run.leave();
  expect(await statusesOf(100)).toEqual({ update: [503], list: [503], unknownKey: [500] });
  back();
  expect(await statusesOf(20)).toEqual({ update: [200], list: [200], unknownKey: [401] });
  expect(run.ended()).toBeNull();
});
