import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { captureLog, requestLine } from '../support/capture-log.ts';
import { type Dynamodb, failScan, scanEntries, sendScan, startDynamodb } from '../support/dynamodb.ts';
import {
  contextWith,
  eventOf,
  internalError,
  ResponseStream,
  type StreamingHandler,
  setEnvironment,
} from '../support/functions.ts';
import { checkList } from '../support/synthetic-table.ts';

const dynamodb = await startDynamodb();
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint, INVENTORY_TABLE_NAME: 'inventory' });
const { handler } = await import('../../functions/list-inventory.ts');
afterAll(() => dynamodb.close());

const brokenOff = new Error('The response to request request-1 broke off. Its log line says why.');
const plain = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };

describe('GET /inventory', () => {
  const log = captureLog();
  const line = (fields: object, counts = {}) =>
    requestLine(
      'listInventory',
      { status: 200, ...fields },
      { Lists: 1, EntriesListed: expect.any(Number), ...counts },
    );
  beforeEach(() => {
    dynamodb.scans = [];
  });

  const start = (scan: Dynamodb['scan'], encoding = 'identity', milliseconds = 300_000) => {
    dynamodb.scan = scan;
    const response = new ResponseStream();
    const event = eventOf({ headers: { 'Accept-Encoding': [encoding] } });
    const ended = (handler as unknown as StreamingHandler)(event, response, contextWith(milliseconds));
    return { response, ended };
  };
  /** The whole response to a list that has one. */
  const list = async (scan: Dynamodb['scan'], encoding?: string) => {
    const { response, ended } = start(scan, encoding);
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

  test('is a list, with one line in the log that has all that it counts', async () => {
    const { body, ...response } = await list(scanEntries(3));
    checkList(body, 3);
    expect(response).toEqual({ statusCode: 200, headers: plain });
    expect(log).toEqual([line({}, { EntriesListed: 3 })]);
  });

  test('is compressed for a client that takes gzip', async () => {
    const { body, ...response } = await list(scanEntries(12_345), 'gzip');
    checkList(body, 12_345);
    expect(response).toEqual({ statusCode: 200, headers: { ...plain, 'Content-Encoding': 'gzip' } });
    expect(log).toEqual([line({}, { EntriesListed: 12_345 })]);
  });

  const rejected: Dynamodb['scan'] = (_input, response) => failScan(response, 'ValidationException');
  const invalid: Dynamodb['scan'] = (_input, response) =>
    sendScan(response, Buffer.from('{"Items":[{"petId":{"N":"77"}}]}'));

  test.each([
    ['is rejected', rejected, 'ValidationException'],
    ['breaks the contract', invalid, 'InvalidEntryError'],
  ])('is an Error response if its first page %s', async (_what, scan, errorType) => {
    expect(await list(scan)).toEqual(internalError);
    expect(log).toEqual([expect.objectContaining({ level: 'ERROR', status: 500, errorType, Faults: 1 })]);
  });

  test('gives up its first page in time, and asks for no other: 504', async () => {
    const pageClosed = Promise.withResolvers<void>();
    const { response, ended } = start((_input, page) => page.once('close', pageClosed.resolve), '', 291_200);
    await Promise.all([ended, pageClosed.promise]);
    expect([response.metadata?.statusCode, await pagesAtRest()]).toEqual([504, 1]);
  });

  test.each([
    ['identity', 'ValidationException', rejected],
    ['gzip', 'ValidationException', rejected],
    ['identity', 'InvalidEntryError', invalid],
  ])('that fails later breaks off and leaves the stream open (%s, %s)', async (encoding, errorType, failing) => {
    const usual = scanEntries(100_000);
    const { response, ended } = start(
      (input, page) => (dynamodb.scans.length > 9 ? failing : usual)(input, page),
      encoding,
    );
    await expect(ended).rejects.toEqual(brokenOff);
    expect([response.metadata?.statusCode, response.destroyed, response.writableEnded]).toEqual([200, false, false]);
    const error = { errorType, errorMessage: expect.any(String), stack: expect.any(String) };
    expect(log).toEqual([line({ level: 'ERROR', brokeOff: true, ...error }, { Faults: 1 })]);
    const { EntriesListed } = log[0];
    // 9 pages were read, the first of them twice.
    expect(EntriesListed).toBeGreaterThan(0);
    expect(EntriesListed).toBeLessThanOrEqual(8 * 5_000);
    if (encoding === 'identity') {
      expect(response.text).toMatch(/^\[\{"petId".*\}$/);
      expect(response.text.match(/"petId"/g)).toHaveLength(EntriesListed);
      expect(response.text).not.toContain('"petId":77,"quantity":undefined');
    }
    await pagesAtRest();
  });

  test('waits for a slow client', async () => {
    const { response, ended } = start(scanEntries(100_000));
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
    const { response, ended } = start(scanEntries(200_000), encoding);
    response.reading = false;
    while (response.chunks.length === 0) {
      await sleep(10);
    }
    response.destroy();

    await expect(ended).rejects.toEqual(brokenOff);
    expect(log).toEqual([line({ brokeOff: true })]);
    expect(await pagesAtRest()).toBeLessThan(20);
  });
});
