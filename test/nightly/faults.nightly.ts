// What only real time and all processes of a local run show of faults of DynamoDB.
// test/functions/dynamodb/dynamodb-client.test.ts has all faults.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { createApiKey } from '../../functions/keys/api-key.ts';
import type { Script } from '../support/dynamodb/dynamodb.ts';
import { dynamodbProxy, type Passing, pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../support/dynamodb/engine.ts';
import { faults } from '../support/dynamodb/faults.ts';
import { errors, type Rejection } from '../support/http/rejections.ts';
import { engineClient, localRun } from '../support/local/local-run.ts';
import { atEnd } from '../support/process/at-end.ts';
import { until } from '../support/process/until.ts';

/** Sends a byte every 700 ms, so that the connection is never silent for long. */
const slowBytes: Script = async ({ forward, response }) => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers);
  for (let index = 0; index < bytes.length && !response.destroyed; index++) {
    response.write(bytes.subarray(index, index + 1));
    await sleep(700);
  }
};

/** What happens to the updates of a pet. */
let fault: Script = pass;
let faultyPet = '';
const isFaulty = ({ body }: Passing): boolean =>
  'UpdateExpression' in body && body.Key.petId.N === faultyPet;

const { endpoint, close } = await startEngine();
atEnd(close);
const proxy = await dynamodbProxy(endpoint, async (call) => {
  await (isFaulty(call) ? fault : pass)(call);
  return 'written';
});
atEnd(proxy.close);
const run = await localRun(proxy.endpoint);
/** A client of the tables that no fault happens to. */
const client = engineClient(endpoint);
atEnd(() => client.destroy());

/** Sets the quantity of a pet from 1 to 2 during a fault. Returns the response and what is stored. */
const updateDuring = async (given: Script, petId: string) => {
  const Key = { petId: { N: petId } };
  const target = { TableName: run.tables.inventory };
  const values = { quantity: { N: '1' }, status: { S: 'pending' } };
  await client.putItem({ ...target, Item: { ...Key, ...values } });
  [fault, faultyPet] = [given, petId];
  const { status, text, headers } = await run.patch(petId, '{"quantity":2}');
  const { Item } = await client.getItem({ ...target, Key });
  return { status, text, retryAfter: headers['retry-after'], stored: Item?.quantity?.N };
};

const rejected = ([status, code, message]: Rejection) => ({
  status,
  text: JSON.stringify({ code, message, status }),
});

// A function that gave up too late would be killed, and its client would get a 502 that says nothing
// of the update.
test('an update is given up in time, whether DynamoDB is silent or slow', async () => {
  expect(await updateDuring(faults.silence.what, '1001')).toStrictEqual({
    ...rejected(errors.unavailable),
    retryAfter: '1',
    stored: '1',
  });
  expect(await updateDuring(slowBytes, '1002')).toStrictEqual({
    ...rejected(errors.timeout),
    retryAfter: undefined,
    stored: '2',
  });
});

test('a fault is logged once, with a stack trace of the sources', async () => {
  await updateDuring(faults['a reset before the engine has run the call'].what, '1003');
  const logged = () =>
    (run.log().match(/^\{.*$/gm) ?? [])
      .map((line) => JSON.parse(line))
      .filter(({ petId, level }) => petId === '1003' && level === 'ERROR');
  await until('the line of the request', () => logged().length > 0);
  expect(logged()).toMatchObject([
    {
      operation: 'updateInventory',
      status: 503,
      code: 'service_unavailable',
      errorType: 'TransientError',
      stack: expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/),
    },
  ]);
});

const requests = {
  update: () => run.patch(1, '{"quantity":7}'),
  list: () => run.send({ path: '/inventory' }),
  /** With a key that the service has never seen, and does not know. */
  unknownKey: () =>
    run.patch(1, '{"quantity":7}', { Authorization: `Bearer ${createApiKey('staging')}` }),
};

/** Sends so many requests of each kind, and returns the classes of their statuses, such as 2xx. */
const statusClasses = async (count: number) => {
  const found: Record<string, string[]> = {};
  for (const [kind, send] of Object.entries(requests)) {
    // More at once would take a busy machine longer than an attempt may take.
    const responses = await pMap(Array(count), send, { concurrency: 3 });
    found[kind] = [...new Set(responses.map(({ status }) => `${Math.floor(status / 100)}xx`))];
  }
  return found;
};

test('during an outage every response is a 5xx, and none afterwards; no instance exits', async () => {
  const healthy = { update: ['2xx'], list: ['2xx'], unknownKey: ['4xx'] };
  expect(await statusClasses(10)).toStrictEqual(healthy);
  const endOutage = proxy.startOutage();
  // Of more, an instance could use up its quota of retries, which the other tests need.
  const inOutage = await statusClasses(15);
  endOutage();
  expect(inOutage).toStrictEqual({ update: ['5xx'], list: ['5xx'], unknownKey: ['5xx'] });
  expect(await statusClasses(20)).toStrictEqual(healthy);
  expect(run.log()).not.toMatch(/^RequestId: .* Error: /m);
});
