import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pMap from 'p-map';
import type { Answer } from './answers.ts';
import type { FaultyRun } from './faulty-run.ts';
import type { Kind } from './kinds.ts';
import { logFrom } from './logged.ts';
import { type Probe, type ProbeName, probes, updatedItem } from './probes.ts';

export const lasting = Number.POSITIVE_INFINITY;

/** A fault that happens to `times` calls in a row of one kind of request. */
export interface Trial {
  kind: Kind;
  on: ProbeName;
  times: number;
}

/** What a client saw of a trial, and what it should have seen. */
interface Outcome {
  trial: { fault: string; on: ProbeName; times: number };
  probe: Pick<Probe, 'operation'>;
  happened: boolean;
  during: Answer;
  allowed: Answer[];
  after: Answer;
  allowedAfter: Answer;
}

/** Sends a trial's request during its fault, and again after it. Updates are of this pet. */
const outcomeOf = async (trial: Trial, run: FaultyRun, petId: number): Promise<Outcome> => {
  const { kind, on, times } = trial;
  const probe = await probes[on](run, petId);
  const end = run.inject({ on: probe.on, where: probe.where, what: kind.what, times });
  const during = await probe.ask();
  const happened = end();
  const allowedAfter = await probe.afterwards();
  const after = await probe.ask();
  const allowed = probe.expected(times === lasting ? kind.forEver : kind.once, kind);
  const { operation } = probe;
  const description = { fault: kind.name, on, times };
  return {
    trial: description,
    probe: { operation },
    happened,
    during,
    allowed,
    after,
    allowedAfter,
  };
};

/** Sends every run's functions a request, because a cold start on a busy machine takes long. */
const warmUp = async (runs: FaultyRun[]): Promise<void> => {
  const requests = runs.flatMap((run) => [
    run.patch(404, '{"quantity":1}'),
    run.send({ path: '/inventory' }),
  ]);
  await Promise.all(requests);
};

/** Settles trials, each on one of the runs that has no other trial at that time. */
const settle = async (trials: Trial[], runs: FaultyRun[]): Promise<Outcome[]> => {
  const free = [...runs];
  const settleOne = async (trial: Trial, index: number) => {
    const run = free.pop() as FaultyRun;
    const outcome = await outcomeOf(trial, run, 1_000 + index);
    free.push(run);
    return outcome;
  };
  await warmUp(runs);
  // Temporary faults come first, because lasting faults use up an instance's quota of retries.
  const inOrder = trials.toSorted(
    (a, b) => Number(a.times === lasting) - Number(b.times === lasting),
  );
  return pMap(inOrder, settleOne, { concurrency: runs.length });
};

const isFailure = ({ during: { status } }: Outcome): boolean => status === 'cut' || status >= 500;

/**
 * Tests what a client sees of each trial's request while the fault happens, and of the same request
 * after the fault. A run that occurs several times in `runs` has several trials at the same time.
 * @param seconds how long all trials together may take on a busy machine, mostly waiting
 */
export const testTrials = (name: string, trials: Trial[], runs: FaultyRun[], seconds: number) =>
  describe(`faults in ${name}`, () => {
    let outcomes: Outcome[];
    let itemsBefore: object[];
    let logged: ReturnType<typeof logFrom>;

    /** Returns the failures by the operation that failed. */
    const failures = () => [
      ...Map.groupBy(outcomes.filter(isFailure), ({ probe }) => probe.operation),
    ];
    const errorsOf = (operation: string) =>
      logged().errors.filter((line) => line.operation === operation);

    beforeAll(async () => {
      itemsBefore = (await runs[0]?.entries()) ?? [];
      logged = logFrom(runs);
      outcomes = await settle(trials, runs);
    }, seconds * 1_000);

    test('every fault has happened', () => {
      expect(outcomes.filter(({ happened }) => !happened)).toEqual([]);
    });

    test('a client sees what each fault may lead to, and nothing else', () => {
      const isUnexpected = ({ allowed, during }: Outcome) =>
        !allowed.some((answer) => isDeepStrictEqual(answer, during));
      expect(outcomes.filter(isUnexpected)).toEqual([]);
    });

    test('after a fault, the same request has the outcome that it has without one', () => {
      const allowed = outcomes.map(({ trial, allowedAfter: after }) => ({ trial, after }));
      expect(outcomes.map(({ trial, after }) => ({ trial, after }))).toEqual(allowed);
    });

    test('nothing changes except the quantities of the updated items', async () => {
      const updated = outcomes.flatMap(({ trial }, index) =>
        /^an update/.test(trial.on) ? [updatedItem(1_000 + index)] : [],
      );
      expect(new Set(await runs[0]?.entries())).toEqual(new Set([...itemsBefore, ...updated]));
    });

    test('no fault makes an instance exit', () => {
      expect(runs.map((run) => run.ended())).toEqual(runs.map(() => null));
    });

    test('no call to DynamoDB outlives its request', () => {
      expect(runs.map((run) => run.callsUnderWay())).toEqual(runs.map(() => 0));
    });

    test('each failure is logged once, with a stack trace of the source files', () => {
      for (const [operation, { length }] of failures()) {
        const line = {
          errorType: expect.any(String),
          errorMessage: expect.any(String),
          stack: expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/),
        };
        expect(errorsOf(operation)).toEqual(Array(length).fill(expect.objectContaining(line)));
      }
    });

    test('the gateway logs the key and the status of each failure', () => {
      const { errors, ofGateway } = logged();
      // The key of a request that was not authorized is not known.
      const authorized = errors.filter((line) => line.keyId !== undefined);
      expect(authorized.map(({ requestId }) => ofGateway.get(requestId))).toMatchObject(
        authorized.map(({ keyId, status }) => ({ keyId, status: String(status) })),
      );
    });
  });
