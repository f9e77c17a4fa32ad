import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { childProcesses } from '../../support/child-processes.ts';
import { localRun } from '../../support/local-run.ts';
import { type Histories, readAll, startUpdates } from './load.ts';
import { contradiction } from './register.ts';

const kills = 20;

const contradictions = (histories: Histories) =>
  [...histories]
    .map(([petId, history]) => [petId, contradiction(history)])
    .filter(([, reason]) => reason !== undefined);

/** Sends a signal to a process that may have ended meanwhile, and tells how many have had it. */
const signalTo = (pid: number | undefined, signal: NodeJS.Signals): number => {
  try {
    return pid !== undefined && process.kill(pid, signal) ? 1 : 0;
  } catch {
    return 0;
  }
};

describe('every acknowledged update is there', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'petstore-crash-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test(`after npm start --data was killed under load, ${kills} times`, async () => {
    const histories: Histories = new Map();
    for (let kill = 0; kill < kills; kill++) {
      const run = await localRun('--data', directory);
      await readAll(run, histories);
      const load = startUpdates(run, histories, 20);
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

    expect(contradictions(histories)).toEqual([]);
  });

  test('after instances of the functions were killed and frozen under load', async () => {
    const run = await localRun();
    const histories: Histories = new Map();
    await readAll(run, histories);
    const load = startUpdates(run, histories, 20);
    const struck = { SIGKILL: 0, SIGSTOP: 0 };
    for (let strike = 0; strike < 100; strike++) {
      const instances = childProcesses(run.process.pid);
      const pid = instances[Math.floor(Math.random() * instances.length)];
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
});
