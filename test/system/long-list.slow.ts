import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Dynamodb, scanEntries, sendScan, startDynamodb } from '../support/dynamodb.ts';
import { open } from '../support/http-client.ts';
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

  const list = (): Promise<IncomingMessage> =>
    open(run.baseUrl, { path: '/inventory', headers: { Authorization: `Bearer ${run.apiKey}` } });

  /** Waits until no page is asked for any more, and returns how many were. */
  const pagesAtRest = async (): Promise<number> => {
    for (let before = -1; before !== dynamodb.scans.length; ) {
      before = dynamodb.scans.length;
      await sleep(3_000);
    }
    return dynamodb.scans.length;
  };

  test('of a million entries is complete and exact', async () => {
    dynamodb.scan = scanEntries(1_000_000);
    checkList(await text(await list()), 1_000_000);
  });

  test('waits for a client that reads slowly', async () => {
    dynamodb.scans = [];
    dynamodb.scan = scanEntries(1_000_000);
    const response = await list();
    // What is under way is in the buffers of the sockets.
    expect(await pagesAtRest()).toBeLessThan(150);
    checkList(await text(response), 1_000_000);
    expect(dynamodb.scans).toHaveLength(201);
  });

  test('is cut at the 200 MB that Lambda streams', async () => {
    const page = JSON.parse(String(syntheticPage({ TableName: 'entries-25000' })));
    const endless = Buffer.from(JSON.stringify({ ...page, LastEvaluatedKey: { petId: { N: '1' } } }));
    dynamodb.scan = (_input, response) => sendScan(response, endless);

    const response = await list();
    let length = 0;
    response.on('data', (chunk: Buffer) => (length += chunk.length));
    await once(response, 'error');
    expect(length).toBeLessThanOrEqual(200 * 1024 * 1024);
    expect(length).toBeGreaterThan(190 * 1024 * 1024);
  });
});
