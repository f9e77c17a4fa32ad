import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { checkList, usualTable } from '../../bench/synthetic-table.ts';
import { attributeNames } from '../../functions/inventory/item.ts';
import { listTimeout, pageAttempts, requestAttempts } from '../../functions/shared/time-limits.ts';
import {
  respond,
  respondWithError,
  type Script,
  scanEntries,
  startDynamodb,
} from '../support/dynamodb/dynamodb.ts';
import type { Passing } from '../support/dynamodb/dynamodb-proxy.ts';
import {
  captureLog,
  errorFields,
  faultLine,
  requestLine,
} from '../support/functions/capture-log.ts';
import {
  eventOf,
  internalError,
  stream,
  timedOut,
  unavailable,
} from '../support/functions/functions.ts';
import { takeMiddyTimer } from '../support/functions/middy-timer.ts';
import { until } from '../support/process/until.ts';

const { timeIsOver, timeOfRequest } = takeMiddyTimer();
const dynamodb = await startDynamodb();
const { handler } = await import('../../functions/list-inventory.ts');

const cutOff = new Error('The response to request request-1 was cut off. Its log line says why.');

const item = { petId: { N: '77' }, quantity: { N: '1' }, status: { S: 'sold' } };
const page = (Items: object[], LastEvaluatedKey?: object) =>
  respond(200, JSON.stringify({ Items, LastEvaluatedKey }));

const rejected = respondWithError(400, 'ValidationException');
const invalid = page([item, { ...item, petId: { N: '0.5' } }]);
const invalidEntry = errorFields(
  'InvalidItemError',
  'The list cannot include the entry with petId 0.5: its petId is 0.5 but must be an int64.',
);
const unreadable = respond(200, '{"Items":[]}', { 'x-amz-crc32': '1' });
const unreadablePage = errorFields(
  'TransientError',
  "DynamoDB's response cannot be read.",
  errorFields('TypeError', 'Its checksum is missing or wrong.'),
);
const rejectedPage = errorFields('ValidationException', 'Not a word of this to clients.');

const log = captureLog();
// Of the random time before a retry, the SDK then waits none.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

/** Returns a table with so many pages, which are small: DynamoDB may always send fewer entries. */
const smallPages =
  (pages: number): Script =>
  (call) =>
    scanEntries(1_000 * pages)({ ...call, body: { ...call.body, Limit: 1_000 } });
const twentyPages = smallPages(20);

const start = (scan: Script, encoding = 'identity', milliseconds = listTimeout) => {
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
/** Returns the Scan inputs since the list began, without where their pages begin. */
const scans = () => dynamodb.received.map(({ body: { ExclusiveStartKey, ...input } }) => input);
const segments = () => scans().map(({ Segment }) => Segment);
/** Lets everything happen that waits for nothing but its turn, such as requests for more pages. */
const manyTurns = async () => {
  for (let turn = 0; turn < 300; turn++) {
    await new Promise(setImmediate);
  }
};
// Requests of a list that has ended early arrive before the next test.
afterEach(manyTurns);
/** Lets the instance know a table of this size, as its last list would. */
const listedBefore = async (entries: number) => {
  await list(scanEntries(entries));
  log.length = 0;
};
beforeEach(() => listedBefore(0));

const headers = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };
const gzip = { ...headers, 'Content-Encoding': 'gzip' };
test.each([
  { entries: 0, pages: 0, encoding: 'identity', sent: headers },
  { entries: 5_000, pages: 0, encoding: 'identity', sent: headers },
  { entries: 5_001, pages: 1, encoding: 'gzip', sent: gzip },
  { entries: 20_004, pages: 2, encoding: 'gzip', sent: gzip },
])(
  'returns all $entries entries, read consistently in four segments of $pages pages',
  async ({ entries: n, pages, encoding, sent }) => {
    const { body, ...response } = await list(scanEntries(n), encoding);
    checkList(body, usualTable(n));
    expect(response).toStrictEqual({ statusCode: 200, headers: sent });
    const counts = { EntriesListed: n };
    expect(log).toStrictEqual([requestLine('listInventory', { status: 200 }, counts)]);

    const input = {
      TableName: 'inventory',
      ConsistentRead: true,
      Limit: 5_000,
      ProjectionExpression: attributeNames.map((name) => `#${name}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(
        attributeNames.map((name) => [`#${name}`, name]),
      ),
    };
    const [whole, ...others] = scans();
    expect(whole).toStrictEqual(input);
    expect(others.toSorted((a, b) => Number(a.Segment) - Number(b.Segment))).toStrictEqual(
      [0, 1, 2, 3].flatMap((Segment) => Array(pages).fill({ ...input, Segment, TotalSegments: 4 })),
    );
  },
);

/** Fails on the first page of the last segment. */
const failsLate: Script = (call) => (call.body.Segment === 3 ? rejected : twentyPages)(call);

const [onePage, twoPages] = [scanEntries(5_000), scanEntries(5_001)];

test.each<[what: string, before: Script[], read: (number | undefined)[]]>([
  ['none on this instance', [], [undefined]],
  ['one with several pages', [twoPages], [0, 1, 2, 3]],
  ['one with a single page after one with several', [twoPages, onePage], [undefined]],
  ['one with several pages, and one that failed', [twoPages, failsLate], [0, 1, 2, 3]],
  ['one with a single page, and one that failed', [onePage, failsLate], [undefined]],
])('after %s, a table is read in its segments, or as a whole', async (_what, before, read) => {
  jest.resetModules();
  const instance = await import('../../functions/list-inventory.ts');
  let text = '';
  for (const scan of [...before, scanEntries(8)]) {
    dynamodb.script(scan);
    const { response, ended } = stream(instance.handler, eventOf(), listTimeout);
    await Promise.allSettled([ended]);
    await manyTurns();
    text = response.text;
  }
  checkList(text, usualTable(8));
  expect(segments()).toStrictEqual(read);
});

test('asks a table that had several pages for one of them, as long as none arrives', async () => {
  await listedBefore(5_001);
  expect(await list(unreadable)).toStrictEqual(unavailable);
  expect(segments()).toStrictEqual(Array(requestAttempts).fill(0));
});

test('reads four pages at once, each by a connection of its own', async () => {
  await listedBefore(5_001);
  const go = Promise.withResolvers<void>();
  const { ended } = start(async (call) => {
    // The first page of the first segment is read alone.
    await (dynamodb.received.length > 1 ? go.promise : undefined);
    return twentyPages(call);
  });
  const others = () => dynamodb.received.slice(1);
  await until('requests of four more pages', () => others().length === 4);
  const ports = others().map(({ response }) => response.req.socket.remotePort);
  expect(new Set(ports).size).toBe(4);
  go.resolve();
  await ended;
});

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
  ['breaks the contract', invalid, internalError, invalidEntry, 1],
  [
    'cannot be read in any attempt',
    unreadable,
    unavailable,
    { ...unreadablePage, retries: requestAttempts - 1 },
    requestAttempts,
  ],
])('is an Error if its first page %s', async (_what, scan, response, error, attempts) => {
  expect(await list(scan)).toStrictEqual(response);
  const { status, code } = JSON.parse(response.body);
  expect(log).toStrictEqual([faultLine('listInventory', { status, code, ...error })]);
  expect(dynamodb.received).toHaveLength(attempts);
});

test('is a 504 if it cannot begin in time, and then asks for nothing more', async () => {
  const pageClosed = Promise.withResolvers<void>();
  const response = await list(({ response }) => {
    response.once('close', pageClosed.resolve);
    timeIsOver();
  });
  expect(response).toStrictEqual(timedOut);
  // As long as any request has until its first byte.
  expect(timeOfRequest()).toBe(9_000);
  await pageClosed.promise;
  await manyTurns();
  expect(dynamodb.received).toHaveLength(1);
  const { code, message, status } = JSON.parse(timedOut.body);
  const fields = { status, code, ...errorFields('ApiError', message) };
  expect(log).toStrictEqual([faultLine('listInventory', fields)]);
});

test('retries later pages more often, because a list that is cut off is lost', async () => {
  const troubles: Script[] = [
    respondWithError(400, 'ProvisionedThroughputExceededException'),
    unreadable,
    ({ response }) => response.write('{"Items":', () => response.destroy()),
  ];
  expect(troubles).toHaveLength(pageAttempts - 1);
  const { body } = await list((call) =>
    ((call.body.Segment === 3 && troubles.shift()) || twentyPages)(call),
  );
  checkList(body, usualTable(20_000));
  expect(segments().filter((segment) => segment === 3)).toHaveLength(5 + 3);
});

/** Lists a table whose tenth read and all later ones fail. */
const startFailingLater = (failing: Script, encoding?: string) =>
  start((call) => (dynamodb.received.length > 9 ? failing : twentyPages)(call), encoding);

test.each([
  { encoding: 'gzip', error: rejectedPage, failing: rejected },
  { encoding: 'identity', error: invalidEntry, failing: invalid },
])(
  'is cut off and leaves the stream open if a later page fails ($encoding)',
  async ({ encoding, error, failing }) => {
    const { response, ended } = startFailingLater(failing, encoding);
    await expect(ended).rejects.toStrictEqual(cutOff);
    const { metadata, destroyed, writableEnded } = response;
    expect([metadata?.statusCode, destroyed, writableEnded]).toStrictEqual([200, false, false]);
    const { EntriesListed } = log[0];
    const fields = { status: 200, ...error, cutOff: true };
    expect(log).toStrictEqual([faultLine('listInventory', fields, { EntriesListed })]);
  },
);

test('sends whole pages before it is cut off, and counts their entries', async () => {
  const { response, ended } = startFailingLater(rejected);
  await expect(ended).rejects.toStrictEqual(cutOff);
  expect(response.text).toMatch(/^\[\{"petId".*\}$/);
  const { EntriesListed } = log[0];
  expect(response.text.match(/"petId"/g)).toHaveLength(EntriesListed);
  // Nine reads succeeded, two of them of the first page, so that at most eight pages are listed.
  expect(EntriesListed).toBeLessThanOrEqual(8 * 1_000);
});

test('waits for a slow client', async () => {
  const { response, ended } = start(smallPages(40));
  response.cork();
  await manyTurns();
  expect(dynamodb.received.length).toBeLessThan(30);
  expect(log).toStrictEqual([]);
  response.uncork();
  await ended;
  const counts = { EntriesListed: 40_000 };
  expect(log).toStrictEqual([requestLine('listInventory', { status: 200 }, counts)]);
});

test.each(['identity', 'gzip'])(
  'ends when its connection fails, which is not a fault, and gives up its pages (%s)',
  async (encoding) => {
    const pageClosed = Promise.withResolvers<void>();
    const hangs: Script = ({ response }) => void response.once('close', pageClosed.resolve);
    const { response, ended } = start(
      (call) => (call.body.Segment === 3 ? hangs : twentyPages)(call),
      encoding,
    );
    // Nothing is read, so that most pages are not asked for.
    response.cork();
    await until('a page that does not arrive', () => segments().includes(3));
    response.destroy();
    await expect(ended).rejects.toStrictEqual(cutOff);
    const { EntriesListed } = log[0];
    const counts = { EntriesListed };
    const fields = { status: 200, cutOff: true };
    expect(log).toStrictEqual([requestLine('listInventory', fields, counts)]);
    await pageClosed.promise;
    await manyTurns();
    // An attempt that has failed would be repeated.
    expect(segments().filter((segment) => segment === 3)).toHaveLength(1);
    expect(dynamodb.received.length).toBeLessThan(16);
  },
);

test('a page that fails while the client reads nothing does not end the instance', async () => {
  const { response, ended } = start((call) =>
    (dynamodb.received.length > 5 ? rejected : twentyPages)(call),
  );
  response.cork();
  const isCutOff = expect(ended).rejects.toStrictEqual(cutOff);
  await until('the page that fails', () => dynamodb.received.length > 5);
  // An unhandled rejection would end the instance, and fails this test.
  await manyTurns();
  response.uncork();
  await isCutOff;
});
