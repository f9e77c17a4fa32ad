// Faults that take time: an outage, and a DynamoDB that says nothing or too little.
import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import type { KindName } from '../../support/dynamodb/kinds.ts';
import { errors } from '../../support/http/rejections.ts';
import { errorSeen, faultyRun, type Seen, updateOf, updateSeen } from './faulty-run.ts';

const run = await faultyRun();

/** A key that the service has never seen, and does not know. */
const strange = () => ({ Authorization: `Bearer ${createApiKey('staging')}` });

const requests = {
  update: () => run.patch(1, '{"quantity":7}'),
  list: () => run.send({ path: '/inventory' }),
  unknownKey: () => run.patch(1, '{"quantity":7}', strange()),
};

/** Returns the classes of the statuses of so many requests of each kind. */
const classesOf = async (count: number) => {
  const found: Record<string, string[]> = {};
  for (const [kind, send] of Object.entries(requests)) {
    const responses = await pMap(Array(count), send, { concurrency: 10 });
    // Of lists, some are beyond their rate.
    const statuses = responses.map(({ status }) => status).filter((status) => status !== 429);
    found[kind] = [...new Set(statuses.map((status) => `${Math.floor(status / 100)}xx`))];
  }
  return found;
};

const healthy = { update: ['2xx'], list: ['2xx'], unknownKey: ['4xx'] };

test('during an outage of DynamoDB every response is a 5xx, and none afterwards', async () => {
  expect(await classesOf(10)).toStrictEqual(healthy);
  const endOutage = run.startOutage();
  const inOutage = await classesOf(50);
  endOutage();
  expect(inOutage).toStrictEqual({ update: ['5xx'], list: ['5xx'], unknownKey: ['5xx'] });
  expect(await classesOf(20)).toStrictEqual(healthy);
  expect(run.log()).not.toMatch(/^RequestId: .* Error: /m);
});

interface Update {
  fault: KindName;
  times?: number;
  response: (petId: number) => Seen;
  /** The quantity after it, which was 1. */
  stored: string;
}

const updates: Update[] = [
  {
    fault: 'silence, and the engine runs the call later',
    times: 1,
    response: updateSeen,
    stored: '2',
  },
  { fault: 'silence', response: () => errorSeen(errors.unavailable, '1'), stored: '1' },
  { fault: 'a byte every 700 ms', response: () => errorSeen(errors.timeout), stored: '2' },
];

// A function that gave up too late would be ended, which is a 502 without a word of ours.
test.each(updates)('an update says what has come of it, in time, despite $fault', async (row) => {
  const petId = await run.newPet();
  const fault = { what: row.fault, on: updateOf(petId), times: row.times };
  const seen = await run.during(fault, () => run.update(petId));
  const outcome = { seen, stored: await run.quantityOf(petId) };
  expect(outcome).toStrictEqual({ seen: row.response(petId), stored: row.stored });
  expect(await run.update(petId)).toStrictEqual(updateSeen(petId));
});
