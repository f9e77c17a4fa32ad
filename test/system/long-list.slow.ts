import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { scanEntries, sendScan } from '../support/dynamodb.ts';
import { open } from '../support/http-client.ts';
import { checkList, syntheticPage } from '../support/synthetic-table.ts';
import { faultyRun } from './faults/faulty-run.ts';

const run = await faultyRun();

describe('a long list', () => {
  const list = () => open(run.baseUrl, { path: '/inventory', headers: { Authorization: `Bearer ${run.apiKey}` } });

  /** Waits until no page is asked for any more, and returns how many were. */
  const pagesAtRest = async (): Promise<number> => {
    for (let before = -1; before !== run.count('Scan'); ) {
      before = run.count('Scan');
      await sleep(3_000);
    }
    return run.count('Scan');
  };

  test('of a million entries waits for a client that reads slowly, and is complete and exact', async () => {
    const scan = scanEntries(1_000_000);
    const end = run.inject({ on: 'Scan', what: ({ body, response }) => scan(body, response) });
    const response = await list();
    // What is under way is in the buffers of the sockets.
    expect(await pagesAtRest()).toBeLessThan(150);
    checkList(await text(response), 1_000_000);
    end();
  });

  test('is cut at the 200 MB that Lambda streams', async () => {
    const page = JSON.parse(String(syntheticPage({ TableName: 'entries-25000' })));
    const endless = Buffer.from(JSON.stringify({ ...page, LastEvaluatedKey: { petId: { N: '1' } } }));
    run.inject({ on: 'Scan', what: ({ response }) => sendScan(response, endless) });

    const response = await list();
    let length = 0;
    response.on('data', (chunk: Buffer) => (length += chunk.length));
    await once(response, 'error');
    expect(length).toBeLessThanOrEqual(200 * 1024 * 1024);
    expect(length).toBeGreaterThan(190 * 1024 * 1024);
  });
});
