import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { captureLog } from '../support/capture-log.ts';
import { type Dynamodb, failScan, scanEntries, sendScan, startDynamodb } from '../support/dynamodb.ts';
import { contextWith, errorResult, eventOf, loadFunction, ResponseStream } from '../support/functions.ts';
import { checkList } from '../support/synthetic-table.ts';

const internalError = errorResult(500, 'internal_error', 'Something went wrong on our side. Try again later.');
const brokenOff = 'The response to request request-1 broke off. Its log line says why.';

describe('GET /inventory', () => {
  let dynamodb: Dynamodb;
  let handler: (event: object, response: ResponseStream, context: object) => Promise<void>;
  let log: Record<string, unknown>[];

  beforeAll(async () => {
    dynamodb = await startDynamodb();
    handler = (await loadFunction(
      {
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
        INVENTORY_TABLE_NAME: 'inventory',
      },
      () => import('../../functions/list-inventory.ts'),
    )) as never;
  });
  afterAll(() => dynamodb.close());
  beforeEach(() => {
    log = captureLog();
    dynamodb.scans = [];
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const encoded = (encoding: string) => ({ 'Accept-Encoding': [encoding] });

  const start = (headers: Record<string, string[]> = {}, milliseconds = 300_000) => {
    const response = new ResponseStream();
    return { response, ended: handler(eventOf({ headers }), response, contextWith(milliseconds)) };
  };
  /** The whole response to a list that has one. */
  const list = async (headers?: Record<string, string[]>) => {
    const { response, ended } = start(headers);
    await ended;
    expect(response.writableFinished).toBe(true);
    return { ...response.metadata, body: response.text };
  };
  /** Waits until no page is asked for any more, and returns how many were. */
  const pagesAtRest = async (): Promise<number> => {
    for (let before = 0; before === 0 || before !== dynamodb.scans.length; ) {
      before = dynamodb.scans.length;
      await sleep(200);
    }
    return dynamodb.scans.length;
  };
  /** Scans so many pages as usual, and then in another way. */
  const afterPages = (pages: number, otherwise: Dynamodb['scan']): Dynamodb['scan'] => {
    const usual = scanEntries(100_000);
    return (input, response) => (dynamodb.scans.length > pages ? otherwise : usual)(input, response);
  };
  const plain = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };

  test.each([0, 1, 5_000, 5_001, 123_456])('of %d entries is complete and exact', async (entries) => {
    dynamodb.scan = scanEntries(entries);
    const { body, ...response } = await list();
    checkList(body, entries);
    expect(response).toEqual({ statusCode: 200, headers: plain });
    expect(log).toEqual([expect.objectContaining({ level: 'INFO', status: 200, Lists: 1, EntriesListed: entries })]);
  });

  test('has one line in the log, with all that it counts', async () => {
    dynamodb.scan = scanEntries(3);
    await list();
    expect(log).toEqual([
      {
        timestamp: expect.any(String),
        level: 'INFO',
        requestId: 'request-1',
        extendedRequestId: 'extended-1',
        operation: 'listInventory',
        keyId: 'key-1',
        status: 200,
        durationMs: expect.any(Number),
        Stage: 'staging',
        FunctionName: 'function',
        FunctionVersion: '7',
        Lists: 1,
        EntriesListed: 3,
        _aws: expect.any(Object),
      },
    ]);
  });

  test('is read consistently, in segments only if one page does not hold it', async () => {
    const scans = async (entries: number) => {
      dynamodb.scans = [];
      dynamodb.scan = scanEntries(entries);
      await list();
      return dynamodb.scans.map(({ ExclusiveStartKey, ...input }) => input);
    };
    const whole = { TableName: 'inventory', ConsistentRead: true, Limit: 5_000 };
    const segments = [0, 1, 2, 3].map((Segment) => ({ ...whole, Segment, TotalSegments: 4 }));

    expect(await scans(5_000)).toEqual([whole]);
    expect(await scans(20_000)).toEqual([whole, ...segments]);
    expect((await scans(20_004)).toSorted((a, b) => (a.Segment ?? -1) - (b.Segment ?? -1))).toEqual([
      whole,
      ...segments.flatMap((segment) => [segment, segment]),
    ]);
  });

  test('is compressed for a client that takes gzip', async () => {
    dynamodb.scan = scanEntries(12_345);
    const { body, ...response } = await list(encoded('gzip'));
    checkList(body, 12_345);
    expect(response).toEqual({ statusCode: 200, headers: { ...plain, 'Content-Encoding': 'gzip' } });
  });

  test('goes on after a page that is throttled, fails or is cut', async () => {
    const troubles: Dynamodb['scan'][] = [
      (_input, response) => failScan(response, 'ProvisionedThroughputExceededException'),
      (_input, response) => void response.writeHead(503).end(),
      (_input, response) => void response.writeHead(200).end('{"Items":[]}'),
      (_input, response) => response.writeHead(200, { 'x-amz-crc32': '1' }).end('{"Items":[]}'),
      (_input, response) => {
        response.writeHead(200, { 'Content-Length': 1_000 }).write('{"Items":', () => response.destroy());
      },
    ];
    const usual = scanEntries(100_000);
    dynamodb.scan = (input, response) =>
      (dynamodb.scans.length > 10 ? (troubles.shift() ?? usual) : usual)(input, response);

    checkList((await list()).body, 100_000);
    expect(troubles).toEqual([]);
  });

  test('is an Error response if its first page fails', async () => {
    dynamodb.scan = (_input, response) => failScan(response, 'ValidationException');
    expect(await list()).toEqual(internalError);
    expect(log).toEqual([
      expect.objectContaining({ level: 'ERROR', status: 500, errorType: 'ValidationException', Faults: 1 }),
    ]);
  });

  test('gives up its first page in time, and asks for no other: 504', async () => {
    const givenUp = new Promise((resolve) => {
      dynamodb.scan = (_input, response) => response.once('close', resolve);
    });
    const { response, ended } = start({}, 291_200);
    await Promise.all([ended, givenUp]);
    expect([response.metadata?.statusCode, await pagesAtRest()]).toEqual([504, 1]);
  });

  test.each(['identity', 'gzip'])('that fails later breaks off and leaves the stream open (%s)', async (encoding) => {
    dynamodb.scan = afterPages(9, (_input, response) => failScan(response, 'ValidationException'));
    const { response, ended } = start(encoded(encoding));
    await expect(ended).rejects.toEqual(new Error(brokenOff));
    expect([response.metadata?.statusCode, response.destroyed, response.writableEnded]).toEqual([200, false, false]);
    const [{ EntriesListed, ...line } = {}] = log;
    expect(log).toHaveLength(1);
    expect(line).toMatchObject({
      level: 'ERROR',
      requestId: 'request-1',
      keyId: 'key-1',
      status: 200,
      brokeOff: true,
      errorType: 'ValidationException',
      errorMessage: 'Not a word of this to clients.',
      Lists: 1,
      Faults: 1,
    });
    // 9 pages were read, the first of them twice.
    expect(EntriesListed).toBeGreaterThan(0);
    expect(EntriesListed).toBeLessThanOrEqual(8 * 5_000);
    if (encoding === 'identity') {
      expect(response.text.at(-1)).toBe('}');
      expect(response.text.match(/"petId"/g)?.length).toBe(EntriesListed);
    }
  });

  const entry = { petId: { N: '77' }, quantity: { N: '1' }, status: { S: 'sold' } };
  const integer = 'and must be an integer from 0 to 9007199254740991';
  const statuses = 'and must be one of available, pending, sold';
  const pageOf = (...Items: object[]) => Buffer.from(JSON.stringify({ Items }));

  test.each([
    [{ quantity: { S: '7' } }, `its quantity is "7" ${integer}`],
    [{ quantity: { N: '-3' } }, `its quantity is -3 ${integer}`],
    [{ quantity: { N: '1.5' } }, `its quantity is 1.5 ${integer}`],
    [{ quantity: { N: '9007199254740992' } }, `its quantity is 9007199254740992 ${integer}`],
    [{ quantity: undefined }, `its quantity is missing ${integer}`],
    [{ status: { S: 'lost' } }, `its status is "lost" ${statuses}`],
    [
      { status: undefined, quantity: undefined },
      `its quantity is missing ${integer}; its status is missing ${statuses}`,
    ],
    [{ petId: { N: '9223372036854775808' } }, 'its petId is 9223372036854775808 and must be an int64'],
  ])('neither has nor leaves out an entry with %j', async (attributes, violation) => {
    const invalid = { ...entry, ...attributes };
    dynamodb.scan = (_input, response) => sendScan(response, pageOf(entry, invalid));

    expect(await list()).toEqual(internalError);
    expect(log).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        errorType: 'InvalidEntryError',
        errorMessage: `The list cannot have the entry with petId ${invalid.petId.N}: ${violation}.`,
        Faults: 1,
      }),
    ]);
  });

  test('breaks off before a page with an entry that it cannot have', async () => {
    dynamodb.scan = afterPages(9, (_input, response) => sendScan(response, pageOf({ ...entry, status: { S: 'x' } })));
    const { response, ended } = start();
    await expect(ended).rejects.toThrow(brokenOff);
    expect(/^\[\{"petId".*\}$/.test(response.text)).toBe(true);
    expect(response.text.includes('"petId":77,')).toBe(false);
    expect(log[0]).toMatchObject({ level: 'ERROR', errorType: 'InvalidEntryError', brokeOff: true });
    await pagesAtRest();
  });

  test('waits for a slow client', async () => {
    dynamodb.scan = scanEntries(100_000);
    const { response, ended } = start();
    response.reading = false;

    expect(await pagesAtRest()).toBeLessThan(15);
    expect(log).toEqual([]);
    response.read();
    await ended;
    checkList(response.text, 100_000);
    // On a busy machine a page may be asked for twice.
    expect(new Set(dynamodb.scans.map((scan) => JSON.stringify(scan))).size).toBe(21);
  });

  test.each(['identity', 'gzip'])('ends when its client leaves, which is no fault (%s)', async (encoding) => {
    dynamodb.scan = scanEntries(200_000);
    const { response, ended } = start(encoded(encoding));
    response.reading = false;
    while (response.chunks.length === 0) {
      await sleep(10);
    }
    response.destroy();

    await expect(ended).rejects.toThrow(brokenOff);
    expect(log).toEqual([expect.objectContaining({ level: 'INFO', status: 200, brokeOff: true, Lists: 1 })]);
    expect(log[0]).not.toHaveProperty('Faults');
    expect(await pagesAtRest()).toBeLessThan(20);
  });
});
