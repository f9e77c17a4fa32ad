// What a client gets during the faults of DynamoDB that take time: an outage, silence, and a response
// that comes too slowly. faults.system.ts has those that are over at once.
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

/** Sends so many requests of each kind, and returns the classes of their statuses, such as 2xx. */
const statusClasses = async (count: number) => {
  const found: Record<string, string[]> = {};
  for (const [kind, send] of Object.entries(requests)) {
    // More at once would take a busy machine longer than an attempt may take.
    const responses = await pMap(Array(count), send, { concurrency: 3 });
    // Some lists are beyond the rate of their method, outage or not.
    const isThrottled = (status: number) => kind === 'list' && status === 429;
    const statuses = responses.map(({ status }) => status).filter((each) => !isThrottled(each));
    found[kind] = [...new Set(statuses.map((status) => `${Math.floor(status / 100)}xx`))];
  }
  return found;
};

const healthy = { update: ['2xx'], list: ['2xx'], unknownKey: ['4xx'] };

test('during an outage of DynamoDB every response is a 5xx, and none afterwards', async () => {
  expect(await statusClasses(10)).toStrictEqual(healthy);
  const endOutage = run.startOutage();
  // Of more, an instance could use up its quota of retries, which the other tests need.
  const inOutage = await statusClasses(15);
  endOutage();
  expect(inOutage).toStrictEqual({ update: ['5xx'], list: ['5xx'], unknownKey: ['5xx'] });
  expect(await statusClasses(20)).toStrictEqual(healthy);
  // No function has crashed or run into its timeout.
  expect(run.log()).not.toMatch(/^RequestId: .* Error: /m);
});

interface Update {
  fault: KindName;
  times?: number;
  response: (petId: number) => Seen;
  /** The quantity in the table afterwards. It was 1, and the update sets 2. */
  stored: string;
}

const updates: Update[] = [
  {
    fault: 'silence, and the engine runs the call later',
    times: 1,
    response: updateSeen,
    stored: '2',
  },
  {
    fault: 'silence',
    response: () => errorSeen(errors.unavailable, { retryAfter: '1' }),
    stored: '1',
  },
  { fault: 'a byte every 700 ms', response: () => errorSeen(errors.timeout), stored: '2' },
];

// A function that gave up too late would be killed, and its client would get a 502 that says nothing
// of the update.
test.each(updates)('the response says what has come of the update, despite $fault', async (row) => {
  const petId = await run.newPet();
  const fault = { what: row.fault, on: updateOf(petId), times: row.times };
  const seen = await run.during(fault, () => run.update(petId));
  const outcome = { seen, stored: await run.quantityOf(petId) };
  expect(outcome).toStrictEqual({ seen: row.response(petId), stored: row.stored });
  expect(await run.update(petId)).toStrictEqual(updateSeen(petId));
});
