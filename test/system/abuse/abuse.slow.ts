import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { checkList, usualTable } from '../../../bench/synthetic-table.ts';
import { synthesizeAnew } from '../../../infra/assembly/synthesize.ts';
import { errorResponse } from '../../../ops/acceptance/suite/http-client.ts';
import { open } from '../../../ops/acceptance/suite/raw-request.ts';
import { scanEntries } from '../../support/dynamodb/dynamodb.ts';
import { errors } from '../../support/http/rejections.ts';
import { faultyRun } from '../faults/faulty-run.ts';
import { concurrentLists, listSeconds } from './list-limits.ts';

const stage = await synthesizeAnew('staging', {
  ...process.env,
  CDK_APP: 'node node-24.cjs test/system/abuse/app.ts',
});
const run = await faultyRun(undefined, '--app', stage);

/** Milliseconds since a time of `performance.now()`. */
const since = (time: number) => performance.now() - time;

/** More entries than all buffers between DynamoDB and a client can hold. */
const entries = 1_000_000;

let endFault = () => true;
afterEach(() => void endFault());
const serveManyEntries = () => {
  endFault = run.inject({ on: 'Scan', what: scanEntries(entries) });
};

const openList = () =>
  open(run.baseUrl, { path: '/inventory', headers: { Authorization: `Bearer ${run.apiKey}` } });

/** Returns how many lists have ended: the function logs a line for each. */
const endedLists = (): number => run.log().match(/"operation":"listInventory"/g)?.length ?? 0;

/** Waits until the functions request no more pages, because all buffers are full. */
const pagesStop = async (): Promise<void> => {
  const before = endedLists();
  let pages = -1;
  while (pages !== run.count('Scan')) {
    pages = run.count('Scan');
    await sleep(3_000);
  }
  expect(endedLists()).toBe(before);
};

test('a client that begins to read its list late gets all of it', async () => {
  serveManyEntries();
  const list = await openList();
  await pagesStop();
  checkList(await text(list), usualTable(entries));
});

/** Updates a pet until it is stopped, which returns the statuses of the responses. */
const keepUpdating = () => {
  const statuses: number[] = [];
  let isStopped = false;
  const updating = (async () => {
    while (!isStopped) {
      statuses.push((await run.patch(1, '{"quantity":7}')).status);
      await sleep(100);
    }
  })();
  return async (): Promise<number[]> => {
    isStopped = true;
    await updating;
    return statuses;
  };
};

test('clients that do not read their lists stop no update, and lists only for a time', async () => {
  serveManyEntries();
  const began = performance.now();
  const silent = await Promise.all(Array.from({ length: concurrentLists }, openList));
  const stopUpdating = keepUpdating();
  let updates: number[] = [];
  try {
    await pagesStop();
    const asked = performance.now();
    const eleventh = await run.send({ path: '/inventory' });
    expect(eleventh).toMatchObject(errorResponse(...errors.internal));
    expect(since(asked)).toBeLessThan(10_000);

    endFault();
    let { status } = eleventh;
    while (status === 500 && since(began) < 2 * listSeconds * 1_000) {
      ({ status } = await run.send({ path: '/inventory' }));
    }
    expect(status).toBe(200);
    expect(since(began)).toBeGreaterThanOrEqual(listSeconds * 1_000);
    expect(run.log()).toContain(`Task timed out after ${listSeconds}.00 seconds`);
  } finally {
    updates = await stopUpdating();
    for (const response of silent) {
      response.on('error', () => {}).destroy();
    }
  }
  expect(new Set(updates)).toEqual(new Set([200]));
});
