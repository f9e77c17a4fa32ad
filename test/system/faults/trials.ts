import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pMap from 'p-map';
import type { Answer } from './answers.ts';
import type { FaultyRun } from './faulty-run.ts';
import type { Kind } from './kinds.ts';
import { type Probe, type ProbeName, probes, updatedItem } from './probes.ts';

export const lasting = Number.POSITIVE_INFINITY;

/** A fault that happens to `times` calls in a row of one kind of request. */
interface Trial {
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

/** A line in the JSON log of a function or of the gateway. */
type Line = Record<string, unknown>;

/**
 * Begins to read what runs log. The returned function returns the lines since then: the errors of
 * the functions, and the access log of the gateway by request id.
 */
const logFrom = (runs: FaultyRun[]) => {
  const starts = new Map(runs.map((run) => [run, run.log().length]));
  return () => {
    const text = [...starts].map(([run, start]) => run.log().slice(start)).join('');
    const lines = (text.match(/^\{.*$/gm) ?? []).map((line): Line => JSON.parse(line));
    const ofGateway = lines.filter(({ level }) => !level);
    return {
      errors: lines.filter(({ level }) => level === 'ERROR'),
      ofGateway: new Map(ofGateway.map((line) => [line.requestId, line])),
    };
  };
};

/** What clients, the table and the logs show of trials. */
const seenOf = async (trials: Trial[], runs: FaultyRun[]) => {
  const items = async () => new Set(await runs[0]?.entries());
  const itemsBefore = await items();
  const logged = logFrom(runs);
  const outcomes = await settle(trials, runs);
  return {
    outcomes,
    itemsBefore,
    itemsAfter: await items(),
    // Read by a test, since a line may arrive after the response that it is about.
    logged,
  };
};

const isFailure = ({ during: { status } }: Outcome): boolean => status === 'cut' || status >= 500;

/**
 * Tests what a client sees of each trial's request while the fault happens, and of the same request
 * after the fault. A run that occurs several times in `runs` has several trials at the same time.
 * @param seconds how long all trials together may take on a busy machine, mostly waiting
 */
export const testTrials = (
  name: string,
  trials: Trial[],
  runs: FaultyRun[],
  seconds: number,
): void => {
  let seen: Awaited<ReturnType<typeof seenOf>>;

  // Before every test of the file, whatever their order is.
  beforeAll(async () => {
    seen = await seenOf(trials, runs);
  }, seconds * 1_000);

  describe(`faults in ${name}`, () => {
    test('every fault has happened', () => {
      expect(seen.outcomes.filter(({ happened }) => !happened)).toEqual([]);
    });

    test('a client sees what each fault may lead to, and nothing else', () => {
      const isUnexpected = ({ allowed, during }: Outcome) =>
        !allowed.some((answer) => isDeepStrictEqual(answer, during));
      expect(seen.outcomes.filter(isUnexpected)).toEqual([]);
    });

    test('after a fault, the same request has the outcome that it has without one', () => {
      const allowed = seen.outcomes.map(({ trial, allowedAfter: after }) => ({ trial, after }));
      expect(seen.outcomes.map(({ trial, after }) => ({ trial, after }))).toEqual(allowed);
    });

    test('nothing changes except the quantities of the updated items', () => {
      const updated = seen.outcomes.flatMap(({ trial }, index) =>
        trial.on.startsWith('an update') ? [updatedItem(1_000 + index)] : [],
      );
      expect(seen.itemsAfter).toEqual(new Set([...seen.itemsBefore, ...updated]));
    });

    test('no fault makes an instance exit, and no call to DynamoDB outlives its request', () => {
      expect(runs.flatMap((run) => run.instanceExits() ?? [])).toEqual([]);
      expect(runs.map((run) => run.callsUnderWay())).toEqual(runs.map(() => 0));
    });

    test('each failure is logged once, with a stack trace of the source files', () => {
      const failures = Map.groupBy(seen.outcomes.filter(isFailure), ({ probe }) => probe.operation);
      const line = expect.objectContaining({
        errorType: expect.any(String),
        errorMessage: expect.any(String),
        stack: expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/),
      });
      for (const [operation, { length }] of failures) {
        const errors = seen.logged().errors.filter((error) => error.operation === operation);
        expect(errors).toEqual(Array(length).fill(line));
      }
    });

    test('the gateway logs the key and the status of each failure', () => {
      const { errors, ofGateway } = seen.logged();
      // The key of a request that was not authorized is not known.
      const authorized = errors.filter(({ keyId }) => keyId !== undefined);
      expect(authorized.map(({ requestId }) => ofGateway.get(requestId))).toMatchObject(
        authorized.map(({ keyId, status }) => ({ keyId, status: String(status) })),
      );
    });
  });
};
