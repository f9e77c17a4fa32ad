import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { childProcesses } from '../../support/child-processes.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { contradictions, type Histories, readAll, update } from './histories.ts';

const kills = 20;
const clients = 20;

const anyOf = <Item>(items: Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** A connection that ends or is not there, because the service was killed. */
const lostConnection = async (error: NodeJS.ErrnoException): Promise<undefined> => {
  if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) {
    throw error;
  }
  await sleep(10);
};

/** Clients that update entries at random, on and on. None makes a mistake. */
const startUpdates = (run: LocalRun, histories: Histories) => {
  const petIds = [...histories.keys()];
  const load = { acknowledged: 0, stopped: false };
  const client = async () => {
    while (!load.stopped) {
      const status = await update(run, histories, anyOf(petIds)).catch(lostConnection);
      expect([200, 500, 502, 503, 504, undefined]).toContain(status);
      load.acknowledged += status === 200 ? 1 : 0;
    }
  };
  const working = Promise.all(Array.from({ length: clients }, client));
  // Whoever stops it hears of it.
  working.catch(() => {});
  const stop = () => {
    load.stopped = true;
    return working;
  };
  return Object.assign(load, { stop });
};

/** Sends a signal to a process that may have ended meanwhile, and tells how many have had it. */
const signalTo = (pid: number | undefined, signal: NodeJS.Signals): number => {
  try {
    return pid !== undefined && process.kill(pid, signal) ? 1 : 0;
  } catch {
    return 0;
  }
};

test(`every acknowledged update is there after npm start --data was killed under load, ${kills} times`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-crash-'));
  const histories: Histories = new Map();
  for (let kill = 0; kill < kills; kill++) {
    const run = await localRun('--data', directory);
    await readAll(run, histories);
    const load = startUpdates(run, histories);
    while (load.acknowledged === 0) {
      await sleep(10);
    }
    await sleep(Math.random() * 1_000);
    run.process.kill('SIGKILL');
    await once(run.process, 'exit');
    await load.stop();
    expect(contradictions(histories)).toEqual([]);
  }
  const last = await localRun('--data', directory);
  await readAll(last, histories);
  await last.stop();
  rmSync(directory, { recursive: true });

  expect(contradictions(histories)).toEqual([]);
});

test('every acknowledged update is there after instances were killed and frozen under load', async () => {
  const run = await localRun();
  const histories: Histories = new Map();
  await readAll(run, histories);
  const load = startUpdates(run, histories);
  const struck = { SIGKILL: 0, SIGSTOP: 0 };
  for (let strike = 0; strike < 100; strike++) {
    const pid = anyOf(childProcesses(run.process.pid));
    const signal = strike % 4 === 0 ? 'SIGKILL' : 'SIGSTOP';
    struck[signal] += signalTo(pid, signal);
    setTimeout(signalTo, 300, pid, 'SIGCONT');
    await sleep(100);
    if (strike % 10 === 0) {
      await readAll(run, histories);
    }
  }
  await load.stop();
  await readAll(run, histories);
  await run.stop();

  expect(contradictions(histories)).toEqual([]);
  expect(load.acknowledged).toBeGreaterThan(100);
  expect(struck.SIGKILL).toBeGreaterThan(10);
  expect(struck.SIGSTOP).toBeGreaterThan(30);
});
