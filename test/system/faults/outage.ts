import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { type FaultyRun, faultyRun } from './faulty-run.ts';

/** Tests what comes of so many requests of each kind, during an outage and after it. */
export const testOutage = (requests: number) => {
  let run: FaultyRun;
  let warm: number[];

  /** Which statuses there are, of requests of each kind. */
  const statuses = async (count: number) => {
    const json = { 'Content-Type': 'application/json' };
    const ask = {
      update: () => run.send({ method: 'PATCH', path: '/inventory/1', headers: json, body: '{"quantity":7}' }),
      list: () => run.send({ path: '/inventory' }),
      unknownKey: () =>
        run.send({ path: '/inventory', headers: { Authorization: `Bearer ${createApiKey('staging')}` } }),
    };
    // Lists have a limit of their own, and a client waits as it is told.
    const patiently = async (send: typeof ask.list): Promise<number> => {
      const { status, headers } = await send();
      if (status !== 429) {
        return status;
      }
      await sleep(1_000 * Number(headers['retry-after']));
      return patiently(send);
    };
    const of = async (send: typeof ask.list) => [
      ...new Set(await inParallel(Array.from({ length: count }), 10, () => patiently(send))),
    ];
    return { update: await of(ask.update), list: await of(ask.list), unknownKey: await of(ask.unknownKey) };
  };

  beforeAll(async () => {
    run = await faultyRun();
    await statuses(10);
    warm = run.instances();
  });

  test('an outage of DynamoDB makes every response a 5xx, and none when it is back, on the same instances', async () => {
    const back = run.proxy.leave();
    expect(await statuses(requests)).toEqual({ update: [503], list: [503], unknownKey: [500] });
    await back();
    expect(await statuses(Math.min(requests, 100))).toEqual({ update: [200], list: [200], unknownKey: [401] });
    expect(warm.length).toBeGreaterThan(2);
    expect(run.instances()).toEqual(expect.arrayContaining(warm));
  });
};
