import type { FaultyRun } from './faulty-run.ts';
import type { Kind } from './kinds.ts';
import { type Answer, type Probe, probeOf, type probes } from './probes.ts';

export const lasting = Number.POSITIVE_INFINITY;

/** A fault that happens to `times` calls in a row of one kind of request. */
export interface Trial {
  kind: Kind;
  on: keyof typeof probes;
  times: number;
}

/** What a client saw of a trial's request, and whether the fault happened. */
export interface Outcome {
  probe: Probe;
  during: Answer;
  happened: boolean;
  /** The response to the same request after the fault. */
  after: Answer;
}

/** A trial whose outcome is, or will be, known. */
export interface Settling {
  trial: Trial;
  /** The pet that the trial alone updates. */
  petId: number;
  outcome: Promise<Outcome>;
}

const settle = async (trial: Trial, petId: number, run: FaultyRun): Promise<Outcome> => {
  const probe = await probeOf(trial.on, run, petId);
  const end = run.inject({ ...probe, ...trial.kind, times: trial.times });
  const during = await probe.ask();
  const happened = end();
  return { probe, during, happened, after: await probe.ask() };
};

/** Sends every run's functions a request, because a cold start on a busy machine takes long. */
const warmUp = async (runs: FaultyRun[]): Promise<void> => {
  const check = async (run: FaultyRun) => (await probeOf('the check of a key', run, 0)).ask();
  await Promise.all(runs.flatMap((run) => [check(run), run.send({ path: '/inventory' })]));
};

/**
 * Begins to settle trials, on each of the runs one after the other. A run that occurs several times
 * in `runs` has several trials at the same time.
 */
export const settleAll = (trials: Trial[], runs: FaultyRun[]): Settling[] => {
  const pending = trials.map((trial, index) => {
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    // The test of the trial reports an error, perhaps long after it.
    outcome.catch(() => {});
    return { trial, petId: 1_000 + index, outcome, resolve };
  });
  const settleOn = async (run: FaultyRun, queue: Iterable<(typeof pending)[number]>) => {
    for (const { trial, petId, outcome, resolve } of queue) {
      resolve(settle(trial, petId, run));
      await outcome.catch(() => {});
    }
  };
  const settleQueues = async () => {
    await warmUp(runs);
    // Temporary faults come first, because lasting faults use up an instance's quota of retries in
    // the SDK.
    for (const lasts of [false, true]) {
      const queue = pending.filter(({ trial }) => (trial.times === lasting) === lasts).values();
      await Promise.all(runs.map((run) => settleOn(run, queue)));
    }
  };
  settleQueues().catch((error) => {
    for (const { resolve } of pending) {
      resolve(Promise.reject(error));
    }
  });
  return pending;
};
