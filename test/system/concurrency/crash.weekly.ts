import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type LocalRun, localRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { childProcesses } from '../../support/process/child-processes.ts';
import { contradictions, type Histories, meanwhile, readAll, update } from './histories.ts';

const anyOf = <Item>(items: Item[]): Item =>
  items[Math.floor(Math.random() * items.length)] as Item;

/**
 * Checks that a request failed because the killed service closed or refused its connection, and
 * waits 10 ms.
 */
const lostConnection = async (error: NodeJS.ErrnoException): Promise<undefined> => {
  expect(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']).toContain(error.code);
  await sleep(10);
};

/** Has 20 clients update random entries until `happening` settles. */
const underLoad = (run: LocalRun, histories: Histories, happening: Promise<unknown>) =>
  meanwhile(happening, 20, async () => {
    const status = await update(run, histories, anyOf([...histories.keys()])).catch(lostConnection);
    // A 4xx would be wrong, because every request is valid.
    expect([200, 500, 502, 503, 504, undefined]).toContain(status);
  });

/** Returns how many writes were acknowledged with a 200. */
const acknowledged = (histories: Histories): number =>
  [...histories.values()]
    .flat()
    .filter(({ kind, responded }) => kind === 'write' && Number.isFinite(responded)).length;

/** Kills the service up to a second after its next acknowledged write. */
const killWhileWriting = async (run: LocalRun, histories: Histories): Promise<void> => {
  const before = acknowledged(histories);
  while (acknowledged(histories) === before) {
    await sleep(10);
  }
  await sleep(Math.random() * 1_000);
  run.process.kill('SIGKILL');
  await once(run.process, 'exit');
};

test('no acknowledged update is lost when npm start --data is killed under load', async () => {
  const kills = 20;
  const histories: Histories = new Map();
  const start = async () => {
    const run = await localRun('--data', join(temporaryDirectory, 'crash'));
    await readAll(run, histories);
    expect(contradictions(histories)).toEqual([]);
    return run;
  };
  for (let kill = 0; kill < kills; kill++) {
    const run = await start();
    await underLoad(run, histories, killWhileWriting(run, histories));
  }
  await start();
});

/** Sends a signal to a process. Returns false if the process has already ended. */
const trySignal = (signal: NodeJS.Signals, pid: number): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

type Strikes = Record<'SIGKILL' | 'SIGSTOP', number>;

/**
 * Kills an instance and freezes three for 300 ms, again and again. Returns how often the signals
 * found a process.
 */
const strikeOften = async (run: LocalRun, histories: Histories): Promise<Strikes> => {
  const struck: Strikes = { SIGKILL: 0, SIGSTOP: 0 };
  for (let strike = 0; strike < 100; strike++) {
    const pid = anyOf(childProcesses(run.process.pid));
    const signal = strike % 4 === 0 ? 'SIGKILL' : 'SIGSTOP';
    if (trySignal(signal, pid)) {
      struck[signal]++;
    }
    setTimeout(trySignal, 300, 'SIGCONT', pid);
    await sleep(100);
    if (strike % 10 === 0) {
      await readAll(run, histories);
    }
  }
  return struck;
};

test('no acknowledged update is lost when instances are killed and frozen under load', async () => {
  const run = await localRun();
  const histories: Histories = new Map();
  await readAll(run, histories);
  const before = acknowledged(histories);

  const strikes = strikeOften(run, histories);
  await underLoad(run, histories, strikes);
  await readAll(run, histories);

  expect(contradictions(histories)).toEqual([]);
  expect(acknowledged(histories) - before).toBeGreaterThan(100);
  const struck = await strikes;
  expect(struck.SIGKILL).toBeGreaterThan(10);
  expect(struck.SIGSTOP).toBeGreaterThan(30);
});
