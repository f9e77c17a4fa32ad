import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { checkList, usualTable } from '../../bench/synthetic-table.ts';
import {
  respond,
  respondWithError,
  type Script,
  scanEntries,
  startDynamodb,
} from '../support/dynamodb/dynamodb.ts';
import type { Passing } from '../support/dynamodb/dynamodb-proxy.ts';
import { captureLog, requestLine } from '../support/functions/capture-log.ts';
import { eventOf, internalError, stream, unavailable } from '../support/functions/functions.ts';
import { takeMiddyTimer } from '../support/functions/middy-timer.ts';

const { timeIsOver, timeOfRequest } = takeMiddyTimer();
process.env.LIST_TIMEOUT_SECONDS = '300';
const dynamodb = await startDynamodb();
const { handler } = await import('../../functions/list-inventory.ts');

const cutOff = new Error('The response to request request-1 was cut off. Its log line says why.');

const item = { petId: { N: '77' }, quantity: { N: '1' }, status: { S: 'sold' } };
const page = (Items: object[], LastEvaluatedKey?: object) =>
  respond(200, JSON.stringify({ Items, LastEvaluatedKey }));

const rejected = respondWithError(400, 'ValidationException');
const invalid = page([item, { ...item, petId: { N: '0.5' } }]);
const invalidEntry = {
  errorType: 'InvalidItemError',
  errorMessage:
    'The list cannot have the entry with petId 0.5: its petId is 0.5 and must be an int64.',
};
const unreadable = respond(200, '{"Items":[]}', { 'x-amz-crc32': '1' });
const unreadablePage = {
  errorType: 'TransientError',
  errorMessage: "DynamoDB's response cannot be read.",
  cause: expect.objectContaining({ errorMessage: 'Its checksum is missing or wrong.' }),
};

const log = captureLog();
// Of the random time before a retry, the SDK then waits none.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
const line = (fields: object, counts: object = { EntriesListed: expect.any(Number) }) =>
  requestLine('listInventory', { status: 200, ...fields }, { Lists: 1, ...counts });

const start = (scan: Script, encoding = 'identity', milliseconds = 300_000) => {
  dynamodb.script(scan);
  return stream(handler, eventOf({ headers: { 'Accept-Encoding': [encoding] } }), milliseconds);
};
/** Waits for a list to end and returns its whole response. */
const list = async (scan: Script, encoding?: string) => {
  const { response, ended } = start(scan, encoding);
  await ended;
  expect(response.writableFinished).toBe(true);
  return { ...response.metadata, body: response.text };
};
/** Returns the distinct Scan inputs; on a busy machine, a page may be requested twice. */
const distinctScans = () => [
  ...new Map(dynamodb.received.map(({ body }) => [JSON.stringify(body), body])).values(),
];
/** Lets everything happen that waits for nothing but its turn, such as requests for more pages. */
const manyTurns = async () => {
  for (let turn = 0; turn < 300; turn++) {
    await new Promise(setImmediate);
  }
};
// Requests of a list that has ended early arrive before the next test.
afterEach(manyTurns);

const headers = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };
const gzip = { ...headers, 'Content-Encoding': 'gzip' };
test.each([
  { entries: 0, pages: 0, encoding: 'identity', sent: headers },
  { entries: 5_000, pages: 0, encoding: 'identity', sent: headers },
  { entries: 5_001, pages: 1, encoding: 'gzip', sent: gzip },
  { entries: 20_000, pages: 1, encoding: 'identity', sent: headers },
  { entries: 20_004, pages: 2, encoding: 'gzip', sent: gzip },
])(
  'returns all $entries entries, read consistently in four segments of $pages pages',
  async ({ entries: n, pages, encoding, sent }) => {
    const { body, ...response } = await list(scanEntries(n), encoding);
    checkList(body, usualTable(n));
    expect(response).toEqual({ statusCode: 200, headers: sent });
    expect(log).toEqual([line({}, { EntriesListed: n })]);

    const [whole, ...others] = distinctScans().map(({ ExclusiveStartKey, ...input }) => input);
    const input = { TableName: 'inventory', ConsistentRead: true, Limit: 5_000 };
    expect(whole).toEqual(input);
    expect(others.toSorted((a, b) => Number(a.Segment) - Number(b.Segment))).toEqual(
      [0, 1, 2, 3].flatMap((Segment) => Array(pages).fill({ ...input, Segment, TotalSegments: 4 })),
    );
  },
);

test('reads pages without entries, and large pages', async () => {
  const large = [300_000, 0, 450_000].map((length) =>
    page([{ ...item, note: { S: 'é'.repeat(length) } }]),
  );
  const ofSegment = (segment?: number) =>
    segment === undefined ? page([item], item) : page(segment === 2 ? [item] : []);
  for (const scan of [...large, (call: Passing) => ofSegment(call.body.Segment)(call)]) {
    expect((await list(scan)).body).toBe('[{"petId":77,"quantity":1,"status":"sold"}]');
  }
});

test.each([
  {
    what: 'is rejected',
    scan: rejected,
    response: internalError,
    error: { errorType: 'ValidationException' },
    attempts: 1,
  },
  {
    what: 'breaks the contract',
    scan: invalid,
    response: internalError,
    error: invalidEntry,
    attempts: 1,
  },
  {
    what: 'cannot be read in three attempts',
    scan: unreadable,
    response: unavailable,
    error: unreadablePage,
    attempts: 3,
  },
])(
  'responds with an Error if its first page $what',
  async ({ scan, response, error, attempts }) => {
    expect(await list(scan)).toEqual(response);
    const { status, code } = JSON.parse(response.body);
    expect(log).toEqual([
      expect.objectContaining({ level: 'ERROR', status, code, Faults: 1, ...error }),
    ]);
    expect(dynamodb.received).toHaveLength(attempts);
  },
);

const givenUp = { status: 504, code: 'gateway_timeout', errorType: 'ApiError' };

test('is a 504 if it cannot begin in time, and logs the error that was last retried', async () => {
  const throttled = respondWithError(400, 'ThrottlingException', {
    'x-amzn-requestid': 'request-2',
  });
  const scripts = [throttled, timeIsOver];
  await start((call) => scripts.shift()?.(call)).ended;
  // As long as any request has until its first byte.
  expect(timeOfRequest()).toBe(9_000);
  const cause = { errorType: 'ThrottlingException', dynamodbRequestId: 'request-2' };
  expect(log).toEqual([expect.objectContaining({ ...givenUp, cause: expect.any(Object) })]);
  expect(log[0].cause).toMatchObject(cause);
});

test('requests no more pages after a 504, and logs no cause if nothing was retried', async () => {
  const pageClosed = Promise.withResolvers<void>();
  const silent: Script = ({ response }) => {
    response.once('close', pageClosed.resolve);
    timeIsOver();
  };
  const { response, ended } = start(silent);
  await Promise.all([ended, pageClosed.promise]);
  await manyTurns();
  expect([response.metadata?.statusCode, dynamodb.received.length]).toEqual([504, 1]);
  expect(log).toEqual([expect.objectContaining(givenUp)]);
  expect(log[0]).not.toHaveProperty('cause');
});

test('retries later pages more often, because a list that is cut off is lost', async () => {
  const troubles: Script[] = [
    respondWithError(400, 'ProvisionedThroughputExceededException'),
    ({ response }) => response.writeHead(503).end(),
    ({ response }) => response.end('{"Items":[]}'),
    unreadable,
    ({ response }) => response.write('{"Items":', () => response.destroy()),
  ];
  const usual = scanEntries(20_000);
  const { body } = await list((call) =>
    ((call.body.Segment === 3 && troubles.shift()) || usual)(call),
  );
  checkList(body, usualTable(20_000));
  expect(dynamodb.received.filter(({ body: { Segment } }) => Segment === 3)).toHaveLength(6);
});

test.each([
  { encoding: 'gzip', errorType: 'ValidationException', failing: rejected },
  { encoding: 'identity', errorType: 'InvalidItemError', failing: invalid },
])(
  'is cut off and leaves the stream open if a later page fails ($encoding, $errorType)',
  async ({ encoding, errorType, failing }) => {
    const usual = scanEntries(100_000);
    const failsLater: Script = (call) => (dynamodb.received.length > 9 ? failing : usual)(call);
    const { response, ended } = start(failsLater, encoding);
    await expect(ended).rejects.toEqual(cutOff);
    expect([response.metadata?.statusCode, response.destroyed, response.writableEnded]).toEqual([
      200,
      false,
      false,
    ]);
    const error = { errorType, errorMessage: expect.any(String), stack: expect.any(String) };
    const { EntriesListed } = log[0];
    expect(log).toEqual([
      line({ level: 'ERROR', cutOff: true, ...error }, { EntriesListed, Faults: 1 }),
    ]);
    // Nine reads succeeded, two of them of the first page, so that at most eight pages are
    // listed.
    expect(EntriesListed).toBeGreaterThan(0);
    expect(EntriesListed).toBeLessThanOrEqual(8 * 5_000);
    if (encoding === 'identity') {
      expect(response.text).toMatch(/^\[\{"petId".*\}$/);
      expect(response.text.match(/"petId"/g)).toHaveLength(EntriesListed);
    }
  },
);

test('waits for a slow client', async () => {
  const { response, ended } = start(scanEntries(100_000));
  response.cork();
  await manyTurns();
  expect(dynamodb.received.length).toBeLessThan(15);
  expect(log).toEqual([]);
  response.uncork();
  await ended;
  checkList(response.text, usualTable(100_000));
  expect(distinctScans()).toHaveLength(21);
});

test.each(['identity', 'gzip'])(
  'ends when its connection fails, which is not a fault (%s)',
  async (encoding) => {
    const { response, ended } = start(scanEntries(200_000), encoding);
    response.cork();
    while (response.writableLength === 0) {
      await new Promise(setImmediate);
    }
    response.destroy();

    await expect(ended).rejects.toEqual(cutOff);
    expect(log).toEqual([line({ cutOff: true })]);
    await manyTurns();
    expect(dynamodb.received.length).toBeLessThan(20);
  },
);
