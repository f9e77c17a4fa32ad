import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { faultyRun } from './faulty-run.ts';

const run = await faultyRun();
/** A key that the service has never seen, and does not know. */
const strange = () => ({ Authorization: `Bearer ${createApiKey('staging')}` });

const requests = {
  update: () => run.patch(1, '{"quantity":7}'),
  list: () => run.send({ path: '/inventory' }),
  unknownKey: () => run.patch(1, '{"quantity":7}', strange()),
};

/** Returns the statuses of so many requests of each kind, except the 429 of lists beyond their rate. */
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

const healthy = { update: [200], list: [200], unknownKey: [401] };

test('during an outage of DynamoDB every response is a 5xx, and none afterwards', async () => {
  // From here on, the authorizer has the key of the run in its cache.
  expect(await statusesOf(10)).toStrictEqual(healthy);
  const endOutage = run.startOutage();
  expect(await statusesOf(100)).toStrictEqual({ update: [503], list: [503], unknownKey: [500] });
  endOutage();
  expect(await statusesOf(20)).toStrictEqual(healthy);
  expect(run.instanceExits()).toBeNull();
});
