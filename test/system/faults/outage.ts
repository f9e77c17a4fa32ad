import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { issueApiKey } from '../../../ops/keys/issued-keys.ts';
import { serviceAt } from '../../support/http-client.ts';
import type { FaultyRun } from './faulty-run.ts';

/** Tests what comes of so many requests of each kind, during an outage and after it. */
export const testOutage = (requests: number, run: FaultyRun) =>
  test('an outage of DynamoDB makes every response a 5xx, and none when it is back, on the same instances', async () => {
    // What the authorizer says of a key that it has not seen before is kept for longer than the outage lasts.
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const known = serviceAt(run.baseUrl, (await issueApiKey(table, 'staging', { name: 'outage' })).apiKey);
    const kinds = {
      update: () => known.patch(1, '{"quantity":7}'),
      list: () => known.send({ path: '/inventory' }),
      unknownKey: () => serviceAt(run.baseUrl, createApiKey('staging')).patch(1, '{"quantity":7}'),
    };
    /** Which statuses each kind of request gets. Lists have a limit of their own, beyond which they get a 429. */
    const statuses = async (count: number) => {
      const found: Record<string, number[]> = {};
      for (const [kind, send] of Object.entries(kinds)) {
        const responses = await pMap(Array(count), send, { concurrency: 10 });
        found[kind] = [...new Set(responses.map(({ status }) => status))].filter((status) => status !== 429);
      }
      return found;
    };

    await statuses(10);
    const back = run.leave();
    expect(await statuses(requests)).toEqual({ update: [503], list: [503], unknownKey: [500] });
    await back();
    expect(await statuses(Math.min(requests, 100))).toEqual({ update: [200], list: [200], unknownKey: [401] });
    expect(run.ended()).toBeNull();
  });
