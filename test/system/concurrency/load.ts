import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { LocalRun } from '../../support/local-run.ts';
import type { Operation } from './register.ts';

/** By petId: what has been done with each entry, through all runs. */
export type Histories = Map<string, Operation[]>;

/** None is written twice; beyond what the entries have at first. */
let value = 1_000;

/** Updates of clients that go on and on. */
export interface Load {
  /** How many have got a 200 so far. */
  acknowledged: number;
  stop(): Promise<void>;
}

/** A connection that ends or is not there, because the service was killed. */
const lostConnection = (error: NodeJS.ErrnoException) => {
  if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) {
    throw error;
  }
  return sleep(10);
};

/**
 * Updates the entries at random, so many clients at a time. What got a 200 has been written; of a 5xx, and of
 * a connection that ends, nobody knows. No client has made a mistake.
 */
export const startUpdates = (run: LocalRun, histories: Histories, width: number): Load => {
  const petIds = [...histories.keys()];
  let stopped = false;
  const client = async () => {
    while (!stopped) {
      const petId = petIds[Math.floor(Math.random() * petIds.length)] ?? '';
      value += 1;
      const write: Operation = {
        kind: 'write',
        value,
        invoked: performance.now(),
        responded: Number.POSITIVE_INFINITY,
      };
      histories.get(petId)?.push(write);
      const request = {
        method: 'PATCH',
        path: `/inventory/${petId}`,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ quantity: value }),
      };
      const response = await run.send(request).catch(lostConnection);
      expect([200, 500, 502, 503, 504, undefined]).toContain(response?.status);
      if (response?.status === 200) {
        write.responded = performance.now();
        load.acknowledged += 1;
      }
    }
  };
  const clients = Promise.all(Array.from({ length: width }, client));
  // Whoever stops it hears of it.
  clients.catch(() => {});
  const load = {
    acknowledged: 0,
    stop: async () => {
      stopped = true;
      await clients;
    },
  };
  return load;
};

/**
 * Reads every entry, each of which has to be there once, and records what it was. What it is at first counts as
 * written before all else.
 */
export const readAll = async (run: LocalRun, histories: Histories): Promise<void> => {
  const invoked = performance.now();
  const { body } = await run.send({ path: '/inventory' });
  const responded = performance.now();
  const entries = body as { petId: bigint; quantity: bigint }[];
  if (histories.size > 0) {
    expect(entries.map(({ petId }) => String(petId)).sort()).toEqual([...histories.keys()].sort());
  }
  for (const { petId, quantity } of entries) {
    const value = Number(quantity);
    const history = histories.get(String(petId)) ?? [{ kind: 'write', value, invoked: -2, responded: -1 }];
    history.push({ kind: 'read', value, invoked, responded });
    histories.set(String(petId), history);
  }
};
