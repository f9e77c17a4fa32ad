import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { issueApiKey } from '../../../ops/keys/issued-keys.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { inParallel } from '../../support/in-parallel.ts';
import type { FaultyRun } from './faulty-run.ts';

/** Tests what comes of so many requests of each kind, during an outage and after it. */
export const testOutage = (requests: number, getRun: () => FaultyRun) => {
  // Lists have a limit of their own, and a client waits as it is told.
  const patiently = async (send: () => Promise<HttpResponse>): Promise<number> => {
    const { status, headers } = await send();
    if (status !== 429) {
      return status;
    }
    await sleep(1_000 * Number(headers['retry-after']));
    return patiently(send);
  };

  /** Which statuses there are, of so many requests of each kind. */
  const statuses = async (run: FaultyRun, apiKey: string, count: number) => {
    const of = async (send: () => Promise<HttpResponse>) => [
      ...new Set(await inParallel(Array.from({ length: count }), 10, () => patiently(send))),
    ];
    const list = (key: string) => run.send({ path: '/inventory', headers: { Authorization: `Bearer ${key}` } });
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` };
    const update = { method: 'PATCH', path: '/inventory/1', headers, body: '{"quantity":7}' };
    return {
      update: await of(() => run.send(update)),
      list: await of(() => list(apiKey)),
      unknownKey: await of(() => list(createApiKey('staging'))),
    };
  };

  test('an outage of DynamoDB makes every response a 5xx, and none when it is back, on the same instances', async () => {
    const run = getRun();
    // What the authorizer says of this key is kept for longer than the outage lasts.
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const { apiKey } = await issueApiKey(table, 'staging', { name: 'outage' });
    await statuses(run, apiKey, 10);
    run.noteInstances();
    const back = run.leave();
    expect(await statuses(run, apiKey, requests)).toEqual({ update: [503], list: [503], unknownKey: [500] });
    await back();
    expect(await statuses(run, apiKey, Math.min(requests, 100))).toEqual({
      update: [200],
      list: [200],
      unknownKey: [401],
    });
    run.expectSameInstances();
  });
};
