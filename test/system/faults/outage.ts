import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { issueApiKey } from '../../../ops/keys/issued-keys.ts';
import { serviceAt } from '../../support/http/http-client.ts';
import type { FaultyRun } from './faulty-run.ts';

/**
 * Tests the responses to this many requests of each kind during an outage of DynamoDB, and to up to
 * 100 after it.
 */
export const testOutage = (requests: number, run: FaultyRun) =>
  test('during an outage of DynamoDB every response is a 5xx, and none afterwards', async () => {
    // A new key, because the authorizer's decision on it is cached for longer than the outage
    // lasts.
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const known = serviceAt(
      run.baseUrl,
      (await issueApiKey(table, { stageName: 'staging', name: 'outage' })).apiKey,
    );
    const kinds = {
      update: () => known.patch(1, '{"quantity":7}'),
      list: () => known.send({ path: '/inventory' }),
      unknownKey: () => serviceAt(run.baseUrl, createApiKey('staging')).patch(1, '{"quantity":7}'),
    };
    /**
     * Returns the statuses that each kind of request gets, except the 429 that lists get beyond
     * their rate limit.
     */
    const statuses = async (count: number) => {
      const found: Record<string, number[]> = {};
      for (const [kind, send] of Object.entries(kinds)) {
        const responses = await pMap(Array(count), send, { concurrency: 10 });
        found[kind] = [...new Set(responses.map(({ status }) => status))].filter(
          (status) => status !== 429,
        );
      }
      return found;
    };

    await statuses(10);
    const back = run.leave();
    expect(await statuses(requests)).toEqual({ update: [503], list: [503], unknownKey: [500] });
    await back();
    expect(await statuses(Math.min(requests, 100))).toEqual({
      update: [200],
      list: [200],
      unknownKey: [401],
    });
    expect(run.ended()).toBeNull();
  });
