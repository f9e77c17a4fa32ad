// What a client gets during faults of DynamoDB, through all processes of a local run: a fault for each
// way in which a client can learn of one. test/functions/dynamodb/dynamodb-client.test.ts has all faults.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import { dynamodbProxy, type Passing, pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../support/dynamodb/engine.ts';
import { type Fault, faults } from '../support/dynamodb/faults.ts';
import { json } from '../support/http/http-client.ts';
import type { HttpResponse } from '../support/http/raw-request.ts';
import { errors, type Rejection } from '../support/http/rejections.ts';
import { engineClient, localRun } from '../support/local/local-run.ts';
import { atEnd } from '../support/process/at-end.ts';
import { until } from '../support/process/until.ts';

/** Faults that take real time. */
const slowFaults = {
  'a slow response': { what: (call) => sleep(500).then(() => pass(call)) },
  'silence, and the engine runs the call later': {
    what: async ({ forward }) => {
      await sleep(3_000, undefined, { ref: false });
      // Nobody waits for this, and the engine may have stopped.
      await forward().catch(() => {});
    },
  },
  /** The connection is never silent for long. */
  'a byte every 700 ms': {
    what: async ({ forward, response }) => {
      const { status, headers, bytes } = await forward();
      response.writeHead(status, headers);
      for (let index = 0; index < bytes.length && !response.destroyed; index++) {
        response.write(bytes.subarray(index, index + 1));
        await sleep(700);
      }
    },
  },
} satisfies Record<string, Pick<Fault, 'what'>>;

const allFaults = { ...faults, ...slowFaults };
type FaultName = keyof typeof allFaults;

interface Happening {
  what: FaultName;
  /** Selects the calls to which it may happen. */
  on: (call: Passing) => boolean;
  /** To how many of them it happens. Default: to all. */
  times?: number | undefined;
}

/** The fault of this moment, and how often it has happened. */
let fault: Happening | undefined;
let happened = 0;
const { endpoint, close } = await startEngine();
atEnd(close);
const proxy = await dynamodbProxy(endpoint, async (call) => {
  if (call.operation === 'Scan') {
    // DynamoDB may always send fewer. Every segment then has several pages.
    call.body.Limit = 4;
  }
  if (!fault?.on(call) || happened === fault.times) {
    return pass(call);
  }
  happened += 1;
  await allFaults[fault.what].what(call);
  return 'written';
});
atEnd(proxy.close);
const run = await localRun(proxy.endpoint);
/** A client of the tables that no fault happens to. */
const client = engineClient(endpoint);
atEnd(() => client.destroy());
const { inventory: TableName, apiKeys } = run.tables;

/** Does something during a fault, which must happen. */
const during = async <Result>(given: Happening, act: () => Promise<Result>): Promise<Result> => {
  [fault, happened] = [given, 0];
  const result = await act();
  fault = undefined;
  expect(happened).toBeGreaterThan(0);
  return result;
};

const keyOf = (petId: number) => ({ petId: { N: String(petId) } });
let lastPetId = 1_000;
/** Adds a pet with the quantity 1. */
const newPet = async (): Promise<number> => {
  lastPetId += 1;
  const values = { quantity: { N: '1' }, status: { S: 'pending' } };
  await client.putItem({ TableName, Item: { ...keyOf(lastPetId), ...values } });
  return lastPetId;
};

/** Selects the updates of one pet. */
const updateOf =
  (petId: number) =>
  ({ body }: Passing): boolean => {
    const update = body.TransactItems?.[1].Update ?? body;
    return 'UpdateExpression' in update && update.Key.petId.N === String(petId);
  };

/** What a client sees of a response. */
const seen = ({ status, text, headers }: HttpResponse) => ({
  ...{ status, text, etag: headers.etag, retryAfter: headers['retry-after'] },
});
type Seen = ReturnType<typeof seen>;

/** Sets the quantity of a pet to 2. */
const update = async (petId: number, headers: Record<string, string> = {}): Promise<Seen> =>
  seen(await run.patch(petId, '{"quantity":2}', { ...json, ...headers }));
const updateSeen = (petId: number): Seen => ({
  status: 200,
  text: `{"petId":${petId},"quantity":2,"status":"pending"}`,
  etag: '"2-pending"',
  retryAfter: undefined,
});
const errorSeen = ([status, code, message]: Rejection, retryAfter?: string): Seen => ({
  status,
  text: JSON.stringify({ code, message, status }),
  etag: undefined,
  retryAfter,
});

interface Update {
  what: FaultName;
  times?: number;
  headers?: Record<string, string>;
  response: (petId: number) => Seen;
  /** The quantity after it, which was 1. */
  stored: string;
}

const updates: Update[] = [
  { what: 'a slow response', times: 1, response: updateSeen, stored: '2' },
  {
    what: 'a reset after the engine has run the call',
    times: 1,
    headers: { 'If-Match': '"1-pending"', 'Idempotency-Key': 'sale' },
    response: updateSeen,
    stored: '2',
  },
  {
    what: 'AccessDeniedException',
    times: 1,
    response: () => errorSeen(errors.internal),
    stored: '1',
  },
  {
    what: 'silence, and the engine runs the call later',
    times: 1,
    response: updateSeen,
    stored: '2',
  },
  { what: 'silence', response: () => errorSeen(errors.unavailable, '1'), stored: '1' },
  { what: 'a byte every 700 ms', response: () => errorSeen(errors.timeout), stored: '2' },
];

// A function that gave up too late would be killed, and its client would get a 502 that says nothing
// of the update.
test.each(updates)('the response says what has come of an update, despite $what', async (row) => {
  const petId = await newPet();
  const { what, times, headers } = row;
  const response = await during({ what, times, on: updateOf(petId) }, () => update(petId, headers));
  const { Item } = await client.getItem({ TableName, Key: keyOf(petId) });
  const outcome = { response, stored: Item?.quantity?.N };
  expect(outcome).toStrictEqual({ response: row.response(petId), stored: row.stored });
  expect(await update(petId)).toStrictEqual(updateSeen(petId));
});

const list = (): Promise<Seen | string> =>
  run.send({ path: '/inventory' }).then(seen, ({ code }) => code);

test.each<{ what: FaultName; page: string; response: Seen | string }>([
  { what: 'AccessDeniedException', page: 'first', response: errorSeen(errors.internal) },
  { what: 'half a response and the end of the connection', page: 'later', response: 'ECONNRESET' },
])('a list whose $page page meets $what is no shorter list', async ({ what, page, response }) => {
  // More than one page for every segment.
  await Promise.all(Array.from({ length: 24 }, newPet));
  const on = ({ operation, body }: Passing) =>
    operation === 'Scan' && (page === 'first' || body.ExclusiveStartKey !== undefined);
  expect(await during({ what, on }, list)).toStrictEqual(response);

  const { text } = await run.send({ path: '/inventory' });
  const { Items = [] } = await client.scan({ TableName });
  const petIds = text.match(/(?<="petId":)-?\d+/g);
  expect(petIds?.sort()).toStrictEqual(Items.map(({ petId }) => petId?.N).sort());
});

test('nobody is let in by a key that cannot be checked', async () => {
  const apiKey = createApiKey('staging');
  const keyHash = { S: hashApiKey(apiKey) };
  const Item = { keyHash, keyId: { S: 'key-of-test' }, access: { S: 'write' } };
  await client.putItem({ TableName: apiKeys, Item });
  const ask = () => update(404_404, { Authorization: `Bearer ${apiKey}` });
  const message = 'The API key could not be checked. Try again later.';
  const on = ({ operation, body }: Passing) =>
    operation === 'GetItem' && body.Key.keyHash.S === keyHash.S;
  expect(await during({ what: 'InternalServerError', on }, ask)).toStrictEqual(
    errorSeen([500, 'internal_error', message]),
  );
  expect(await ask()).toStrictEqual(errorSeen(errors.notFound));
});

test('a fault is logged once, with a stack trace of the sources', async () => {
  const petId = await newPet();
  const what = 'a reset before the engine has run the call';
  await during({ what, on: updateOf(petId) }, () => update(petId));
  const logged = () =>
    (run.log().match(/^\{.*$/gm) ?? [])
      .map((line) => JSON.parse(line))
      .filter((line) => line.petId === String(petId) && line.level === 'ERROR');
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
