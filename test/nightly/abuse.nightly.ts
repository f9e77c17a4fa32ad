// Clients that keep something open for as long as they may: a list, or a request.
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { checkList, usualTable } from '../../bench/synthetic-table.ts';
import { listTimeout } from '../../functions/shared/time-limits.ts';
import { instanceLimit } from '../../local/lambda/lambda-function.ts';
import { scanEntries } from '../support/dynamodb/dynamodb.ts';
import { dynamodbProxy, pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../support/dynamodb/engine.ts';
import { open } from '../support/http/raw-request.ts';
import { localRun } from '../support/local/local-run.ts';
import { atEnd } from '../support/process/at-end.ts';
import { until } from '../support/process/until.ts';

/**
 * Twice as many entries as all buffers between DynamoDB and a client can hold. A list of them takes
 * a busy machine a small part of its time limit.
 */
const entries = 500_000;
const manyEntries = scanEntries(entries);

let isStarted = false;
let pages = 0;
const engine = await startEngine();
atEnd(engine.close);
const tables = await dynamodbProxy(engine.endpoint, async (call) => {
  if (call.operation !== 'Scan' || !isStarted) {
    return pass(call);
  }
  pages += 1;
  // DynamoDB may always send fewer. A busy machine would make a full page for longer than an attempt
  // may take.
  call.body.Limit = 1_000;
  await manyEntries(call);
  return 'written';
});
atEnd(tables.close);
const run = await localRun(tables.endpoint);
isStarted = true;

/** Opens a list of many entries, without reading it. */
const openList = async () => {
  const headers = { Authorization: `Bearer ${run.apiKey}` };
  return open(run.baseUrl, { path: '/inventory', headers });
};

/** Waits until the functions request no more pages, because all buffers are full. */
const pagesStop = async (): Promise<void> => {
  let seen = { pages: -1, at: 0 };
  const areSame = () => {
    seen = pages === seen.pages ? seen : { pages, at: performance.now() };
    return performance.now() - seen.at > 3_000;
  };
  await until('full buffers', areSame, 300);
};

test('a client that begins to read its list late gets all of it', async () => {
  const list = await openList();
  expect(list.statusCode).toBe(200);
  await pagesStop();
  checkList(await text(list), usualTable(entries));
});

/** Sends the beginning of a request. Returns the response, and after how many seconds it ends. */
const begin = async (bytes: string) => {
  const { port, hostname } = new URL(run.baseUrl);
  const client = connect(Number(port), hostname);
  const began = performance.now();
  client.write(bytes);
  const [statusLine] = (await text(client)).split('\r\n', 1);
  return { statusLine, seconds: (performance.now() - began) / 1_000 };
};

const headersThatNeverEnd = 'GET /staging/v1/inventory HTTP/1.1\r\nX: ';
const bodyThatNeverComes =
  'PATCH /staging/v1/inventory/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n' +
  `Authorization: Bearer ${run.apiKey}\r\n\r\n`;

/** Updates twice a second until something has happened. Returns the statuses. */
const updateUntil = async (what: Promise<unknown>): Promise<Set<number>> => {
  const statuses = new Set<number>();
  let hasHappened = false;
  what.finally(() => {
    hasHappened = true;
  });
  const updated = async () => {
    statuses.add((await run.patch(1, '{"quantity":7}')).status);
    await sleep(500);
    return hasHappened;
  };
  await until('an instance for another list', updated, 4 * (listTimeout / 1_000));
  return statuses;
};

test('clients that keep lists and requests open stop no update, and keep them for a time only', async () => {
  const began = performance.now();
  const unending = [headersThatNeverEnd, bodyThatNeverComes].map(begin);
  const lists: IncomingMessage[] = [];
  // One after the other, each soon has its first page.
  for (let n = 0; n < instanceLimit; n += 1) {
    lists.push(await openList());
  }
  const another = openList();
  expect(await updateUntil(another)).toStrictEqual(new Set([200]));
  // Those that read nothing had all the time of a list.
  expect(performance.now() - began).toBeGreaterThan(0.8 * listTimeout);
  lists.push(await another);
  expect(new Set(lists.map(({ statusCode }) => statusCode))).toStrictEqual(new Set([200]));

  const [first, second] = await Promise.all(unending);
  expect(first?.statusLine).toBe('HTTP/1.1 408 Request Timeout');
  expect(second?.statusLine).toBe('HTTP/1.1 408 Request Timeout');
  const seconds = [first?.seconds ?? 0, second?.seconds ?? 0];
  expect(Math.min(...seconds)).toBeGreaterThan(29);
  // Node's own limit is five minutes; the rest is for a busy machine.
  expect(Math.max(...seconds)).toBeLessThan(150);
  for (const response of lists) {
    response.on('error', () => {}).destroy();
  }
});
