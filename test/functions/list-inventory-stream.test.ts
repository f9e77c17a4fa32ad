import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answerScan, type Dynamodb, refuseScan, scanEntries, startDynamodb } from '../support/dynamodb.ts';
import { contract, errorResponse, open } from '../support/http-client.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';
import { checkList, syntheticPage } from '../support/synthetic-table.ts';

describe('a long list', () => {
  let dynamodb: Dynamodb;
  let run: LocalRun;
  beforeAll(async () => {
    dynamodb = await startDynamodb();
    run = await localRun('--dynamodb', dynamodb.endpoint);
  });
  afterAll(async () => {
    await run.stop();
    dynamodb.close();
  });
  beforeEach(() => {
    dynamodb.scans = [];
  });

  const list = (headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    open(run.baseUrl, { path: '/inventory', headers: { Authorization: `Bearer ${run.apiKey}`, ...headers } });

  /** Lets a scan answer until so many pages are read, and then in another way. */
  const afterPages = (pages: number, otherwise: Dynamodb['scan'], entries = 1_000_000): Dynamodb['scan'] => {
    const usual = scanEntries(entries);
    return (input, response) => (dynamodb.scans.length > pages ? otherwise : usual)(input, response);
  };

  /** Reads until the answer breaks off. */
  const readUntilCut = async (answer: IncomingMessage): Promise<string> => {
    let read = '';
    answer.setEncoding('utf8').on('data', (chunk) => (read += chunk));
    const [error] = await once(answer, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    return read;
  };

  /** Waits until no page is asked for any more, not even again, and returns how many were. */
  const pagesAtRest = async (): Promise<number> => {
    for (let before = -1; before !== dynamodb.scans.length; ) {
      before = dynamodb.scans.length;
      await setTimeout(3_000);
    }
    return dynamodb.scans.length;
  };

  /** Waits for a line of the log. */
  const logged = async (wanted: (line: string) => boolean): Promise<string> => {
    for (let wait = 0; wait < 400; wait++) {
      const line = run.log().split('\n').find(wanted);
      if (line !== undefined) {
        return line;
      }
      await setTimeout(50);
    }
    throw new Error(`Not logged:\n${run.log()}`);
  };

  /** What the function has logged of a list that broke off. */
  const brokeOff = async (requestId: unknown): Promise<Record<string, unknown>> => {
    const line = await logged((text) => text.includes('"brokeOff":true') && text.includes(String(requestId)));
    return JSON.parse(line);
  };

  test.each([0, 1, 5_000, 5_001, 123_456])('of %d entries is complete and exact', async (entries) => {
    dynamodb.scan = scanEntries(entries);

    const answer = await list();
    expect([answer.statusCode, answer.headers['transfer-encoding']]).toEqual([200, 'chunked']);
    checkList(await text(answer), entries);
  });

  test('is read consistently, in segments only if one page does not hold it', async () => {
    const scans = async (entries: number) => {
      dynamodb.scans = [];
      dynamodb.scan = scanEntries(entries);
      await text(await list());
      return dynamodb.scans.map(({ ExclusiveStartKey, ...input }) => input);
    };
    const TableName = run.tables.inventory;
    const whole = { TableName, ConsistentRead: true, Limit: 5_000 };
    const segments = [0, 1, 2, 3].map((Segment) => ({ ...whole, Segment, TotalSegments: 4 }));

    expect(await scans(5_000)).toEqual([whole]);
    expect(await scans(20_000)).toEqual([whole, ...segments]);
    expect((await scans(20_004)).toSorted((a, b) => (a.Segment ?? -1) - (b.Segment ?? -1))).toEqual([
      whole,
      ...segments.flatMap((segment) => [segment, segment]),
    ]);
  });

  test('of a million entries is complete and exact, in the memory of shorter ones', async () => {
    const listEntries = async (entries: number) => {
      dynamodb.scan = scanEntries(entries);
      checkList(await text(await list()), entries);
    };
    const peakMemory = async () => {
      await setTimeout(500);
      return Math.max(...[...run.log().matchAll(/Max Memory Used: (\d+) MB/g)].map(([, peak]) => Number(peak)));
    };
    // As much work for the garbage collector as the million is.
    for (let times = 0; times < 10; times++) {
      await listEntries(100_000);
    }
    const short = await peakMemory();
    await listEntries(1_000_000);
    const long = await peakMemory();

    expect(long).toBeLessThan(256);
    expect(long / short).toBeLessThan(1.3);
  });

  test('that fails before its first page is an Error answer', async () => {
    dynamodb.scan = (_input, response) => refuseScan(response, 'ValidationException');

    expect(contract(await run.send({ path: '/inventory' }))).toEqual(
      errorResponse(500, 'internal_error', 'Something went wrong on our side. Try again later.'),
    );
  });

  test.each(['identity', 'gzip'])('that fails later breaks off and is logged (%s)', async (encoding) => {
    dynamodb.scan = afterPages(40, (_input, response) => refuseScan(response, 'ValidationException'));

    const answer = await list({ 'Accept-Encoding': encoding });
    expect(answer.statusCode).toBe(200);
    const read = await readUntilCut(answer);
    const { EntriesListed, ...line } = await brokeOff(answer.headers['x-amzn-requestid']);
    expect(line).toMatchObject({ level: 'ERROR', status: 200, errorType: 'ValidationException', Lists: 1, Faults: 1 });
    // 40 pages were read, the first of them twice.
    expect(EntriesListed).toBeGreaterThan(0);
    expect(EntriesListed).toBeLessThanOrEqual(39 * 5_000);
    if (encoding === 'identity') {
      expect(read).not.toMatch(/\]$/);
      expect(read.match(/"petId"/g)?.length).toBeLessThanOrEqual(Number(EntriesListed));
    }
  });

  test('goes on after a page that is throttled, fails, stalls or is cut', async () => {
    const troubles: Dynamodb['scan'][] = [
      (_input, response) => refuseScan(response, 'ProvisionedThroughputExceededException'),
      (_input, response) => void response.writeHead(503).end(),
      (_input, response) => void response.writeHead(200, { 'Content-Length': 1_000 }).write('{"Items":'),
      (_input, response) => {
        response.writeHead(200, { 'Content-Length': 1_000 }).write('{"Items":', () => response.destroy());
      },
    ];
    const usual = scanEntries(100_000);
    dynamodb.scan = (input, response) =>
      (dynamodb.scans.length > 10 ? (troubles.shift() ?? usual) : usual)(input, response);

    checkList(await text(await list()), 100_000);
    expect(troubles).toEqual([]);
  });

  test('waits for a slow client', async () => {
    dynamodb.scan = scanEntries(1_000_000);

    const answer = await list();
    const pages = await pagesAtRest();
    // What is under way is in the buffers of the sockets.
    expect(pages).toBeLessThan(150);
    checkList(await text(answer), 1_000_000);
    expect(dynamodb.scans).toHaveLength(201);
  });

  test.each(['while pages come', 'while DynamoDB is silent'])('stops when its client leaves %s', async (when) => {
    const silence = () => {};
    dynamodb.scan = when === 'while pages come' ? scanEntries(1_000_000) : afterPages(3, silence);

    const answer = await list();
    await once(answer, 'readable');
    answer.destroy();
    const { EntriesListed, errorMessage } = await brokeOff(answer.headers['x-amzn-requestid']);
    expect(EntriesListed).toBeLessThan(1_000_000);
    expect(errorMessage).toBe('Premature close');
    const pages = dynamodb.scans.length;
    expect(await pagesAtRest()).toBe(pages);
    expect(pages).toBeLessThan(150);
  });

  test('is cut at the 200 MB that Lambda streams', async () => {
    const page = JSON.parse(String(syntheticPage({ TableName: 'entries-25000' })));
    const endless = Buffer.from(JSON.stringify({ ...page, LastEvaluatedKey: { petId: { N: '1' } } }));
    dynamodb.scan = (_input, response) => answerScan(response, endless);

    const answer = await list();
    let length = 0;
    answer.on('data', (chunk: Buffer) => (length += chunk.length));
    await once(answer, 'error');
    expect(length).toBeLessThanOrEqual(200 * 1024 * 1024);
    expect(length).toBeGreaterThan(190 * 1024 * 1024);
    await logged((line) => line.includes('The result is larger than 209715200 bytes.'));
  });
});
