import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { checkList, usualTable } from '../../bench/synthetic-table.ts';
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
  const headers = { Authorization: `Bearer ${run.apiKey}` };
  const list = await open(run.baseUrl, { path: '/inventory', headers });
  expect(list.statusCode).toBe(200);
  await pagesStop();
  checkList(await text(list), usualTable(entries));
});
