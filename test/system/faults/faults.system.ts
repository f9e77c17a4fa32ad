import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import { type KindName, kindNamed } from '../../support/dynamodb/kinds.ts';
import { errors } from '../../support/http/rejections.ts';
import { until } from '../../support/process/until.ts';
import { type Fault, faultyRun } from './faulty-run.ts';

// A fault for each way in which a client can learn of it, from a client to the engine.
// test/functions/faults.test.ts tries all of them in process.

// Few items a page, so that every segment of a list has more than one.
const run = await faultyRun(4);
const item = (petId: number, quantity: number) => ({
  petId: { N: String(petId) },
  quantity: { N: String(quantity) },
  status: { S: 'pending' },
});
for (let petId = 5_000; petId < 5_024; petId++) {
  await run.put(item(petId, 1));
}

/** What a client sees of a response. */
interface Seen {
  status: number | 'cut off';
  text?: string;
  etag?: string | undefined;
  retryAfter?: string | undefined;
}
const error = (name: keyof typeof errors, retryAfter?: string): Seen => {
  const [status, code, message] = errors[name];
  return { status, text: JSON.stringify({ code, message, status }), etag: undefined, retryAfter };
};

const seenOf = async (request: ReturnType<typeof run.send>): Promise<Seen> => {
  try {
    const { status, text, headers } = await request;
    return { status, text, etag: headers.etag, retryAfter: headers['retry-after'] };
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'ECONNRESET' });
    return { status: 'cut off' };
  }
};

/** Sets the quantity of an entry of its own from 1 to 2. */
const update = async (petId: number, headers: Record<string, string> = {}) => {
  const send = { method: 'PATCH', path: `/inventory/${petId}`, body: '{"quantity":2}' };
  return seenOf(run.send({ ...send, headers: { 'Content-Type': 'application/json', ...headers } }));
};
const updated = (petId: number): Seen => ({
  status: 200,
  text: `{"petId":${petId},"quantity":2,"status":"pending"}`,
  etag: '"2-pending"',
  retryAfter: undefined,
});
const quantityOf = async (petId: number) => {
  const { inventory: TableName, client } = run.tables;
  const Key = { petId: { N: String(petId) } };
  return (await client.send(new GetItemCommand({ TableName, Key }))).Item?.quantity?.N;
};

const ofPet = (petId: number) => ({
  on: 'UpdateItem' as const,
  where: ({ Key }: { Key: { petId: { N: string } } }) => Key.petId.N === String(petId),
});
const always = Number.POSITIVE_INFINITY;

/** Sends a request during a fault. Returns what its client has seen, and after how long. */
const during = async <T>(name: KindName, fault: Omit<Fault, 'what'>, ask: () => Promise<T>) => {
  const end = run.inject({ ...fault, what: kindNamed(name).what });
  const began = performance.now();
  const seen = await ask();
  // The rest is for a busy machine. API Gateway itself would wait for 29 s.
  const isInTime = performance.now() - began < 2 * functionTimeout;
  expect({ name, happened: end(), isInTime }).toStrictEqual({
    name,
    happened: true,
    isInTime: true,
  });
  return seen;
};

interface Update {
  fault: KindName;
  times: number;
  ifMatch?: string;
  response: (petId: number) => Seen;
  /** The quantity after it. */
  stored: string;
}
const updates: Update[] = [
  { fault: 'a slow response', times: 1, response: updated, stored: '2' },
  {
    fault: 'a clock an hour ahead',
    times: 1,
    ifMatch: '"1-pending"',
    response: updated,
    stored: '2',
  },
  {
    fault: 'silence, and the engine runs the call later',
    times: 1,
    response: updated,
    stored: '2',
  },
  {
    fault: 'a reset after the engine has run the call',
    times: 1,
    ifMatch: '"1-pending"',
    response: () => error('outcomeUnknown'),
    stored: '2',
  },
  {
    fault: 'silence',
    times: always,
    response: () => error('unavailable', '1'),
    stored: '1',
  },
  {
    fault: 'a byte every 700 ms',
    times: always,
    response: () => error('timeout'),
    stored: '2',
  },
];

test('an update says what has come of it, and in time', async () => {
  // A cold start on a busy machine takes long.
  expect((await update(404)).status).toBe(404);
  const outcomes = updates.map(async ({ fault, times, ifMatch, response, stored }, index) => {
    const petId = 1_000 + index;
    await run.put(item(petId, 1));
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
    const seen = await during(fault, { ...ofPet(petId), times }, () => update(petId, headers));
    const expected = { fault, seen: response(petId), stored };
    expect({ fault, seen, stored: await quantityOf(petId) }).toStrictEqual(expected);
    // Without the fault, the same request is applied.
    expect(await update(petId)).toStrictEqual(updated(petId));
  });
  await Promise.all(outcomes);
});

test('a list whose later page fails is cut off, and complete after that', async () => {
  const list = () => seenOf(run.send({ path: '/inventory' }));
  const where = ({ ExclusiveStartKey }: { ExclusiveStartKey?: object }) =>
    ExclusiveStartKey !== undefined;
  const fault = { on: 'Scan' as const, where, times: always };
  const cut = await during('half a response and a reset', fault, list);
  expect(cut).toStrictEqual({ status: 'cut off' });

  const { status, text = '' } = await list();
  expect(status).toBe(200);
  expect(JSON.parse(text)).toHaveLength((await run.entries()).length);
});

test('nobody is let in by a key that cannot be checked', async () => {
  const apiKey = createApiKey('staging');
  const keyHash = { S: hashApiKey(apiKey) };
  const { apiKeys: TableName, client } = run.tables;
  const record = { keyHash, keyId: { S: 'key-of-test' }, name: { S: 'of a test' } };
  await client.send(new PutItemCommand({ TableName, Item: record }));
  const ask = () => update(404_404, { Authorization: `Bearer ${apiKey}` });
  const where = ({ Key }: { Key: { keyHash?: { S: string } } }) => Key.keyHash?.S === keyHash.S;

  const notChecked = {
    code: 'internal_error',
    message: 'The API key could not be checked. Try again later.',
    status: 500,
  };
  const fault = { on: 'GetItem' as const, where, times: always };
  expect(await during('InternalServerError', fault, ask)).toStrictEqual({
    status: 500,
    text: JSON.stringify(notChecked),
    etag: undefined,
    retryAfter: undefined,
  });
  expect(await ask()).toStrictEqual(error('notFound'));
});

test('a fault is logged once, with a stack trace of the sources, and no instance exits', async () => {
  const petId = 2_000;
  await run.put(item(petId, 1));
  const headers = { 'If-Match': '"1-pending"' };
  await during('a reset before the engine has run the call', { ...ofPet(petId), times: 1 }, () =>
    update(petId, headers),
  );
  const logged = () =>
    (run.log().match(/^\{.*$/gm) ?? [])
      .map((line) => JSON.parse(line))
      .filter((line) => line.petId === String(petId) && line.level === 'ERROR');
  await until('the line of the request', () => logged().length > 0);
  expect(logged()).toMatchObject([
    {
      operation: 'updateInventory',
      status: 500,
      code: 'outcome_unknown',
      errorType: 'ApiError',
      stack: expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/),
      cause: { errorType: 'TransientError' },
    },
  ]);
  expect(run.instanceExits()).toBeNull();
  await until('the end of all calls', () => run.callsUnderWay() === 0);
});
