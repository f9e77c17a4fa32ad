import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { childProcesses } from '../../support/child-processes.ts';
import { type LocalRun, localRun, temporaryDirectory } from '../../support/local-run.ts';
import { contradictions, type Histories, readAll, update } from './histories.ts';

const anyOf = <Item>(items: Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** A connection that ends or is not there, because the service was killed. */
const lostConnection = async (error: NodeJS.ErrnoException): Promise<undefined> => {
  expect(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']).toContain(error.code);
  await sleep(10);
};

/** Has 20 clients update entries at random for as long as something happens. Returns how many updates got a 200. */
const underLoad = async (
  run: LocalRun,
  histories: Histories,
  happen: (acknowledged: () => number) => Promise<void>,
) => {
  let [acknowledged, isOver] = [0, false];
  const client = async () => {
    while (!isOver) {
      const status = await update(run, histories, anyOf([...histories.keys()])).catch(lostConnection);
      // No client makes a mistake.
      expect([200, 500, 502, 503, 504, undefined]).toContain(status);
      acknowledged += status === 200 ? 1 : 0;
    }
  };
  const happening = happen(() => acknowledged).finally(() => {
    isOver = true;
  });
  await Promise.all([happening, ...Array.from({ length: 20 }, client)]);
  return acknowledged;
};

test('every acknowledged update is there after npm start --data was killed under load, 20 times', async () => {
  const histories: Histories = new Map();
  const start = async () => {
    const run = await localRun('--data', join(temporaryDirectory, 'crash'));
    await readAll(run, histories);
    expect(contradictions(histories)).toEqual([]);
    return run;
  };
  for (let kill = 0; kill < 20; kill++) {
    const run = await start();
    await underLoad(run, histories, async (acknowledged) => {
      while (acknowledged() === 0) {
        await sleep(10);
      }
      await sleep(Math.random() * 1_000);
      run.process.kill('SIGKILL');
      await once(run.process, 'exit');
    });
  }
  await start();
});

/** Whether a process has had a signal: it may have ended meanwhile. */
const hasHad = (signal: NodeJS.Signals, pid: number): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

test('every acknowledged update is there after instances were killed and frozen under load', async () => {
  const run = await localRun();
  const histories: Histories = new Map();
  await readAll(run, histories);
  const struck = { SIGKILL: 0, SIGSTOP: 0 };
  const acknowledged = await underLoad(run, histories, async () => {
    for (let strike = 0; strike < 100; strike++) {
      const pid = anyOf(childProcesses(run.process.pid));
      const signal = strike % 4 === 0 ? 'SIGKILL' : 'SIGSTOP';
      struck[signal] += hasHad(signal, pid) ? 1 : 0;
      setTimeout(hasHad, 300, 'SIGCONT', pid);
      await sleep(100);
      if (strike % 10 === 0) {
        await readAll(run, histories);
      }
    }
  });
  await readAll(run, histories);

  expect(contradictions(histories)).toEqual([]);
  expect(acknowledged).toBeGreaterThan(100);
  expect(struck.SIGKILL).toBeGreaterThan(10);
  expect(struck.SIGSTOP).toBeGreaterThan(30);
});
