import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FaultyRun } from './faulty-run.ts';
import { logFrom } from './logged.ts';
import { type Answer, updatedItem } from './probes.ts';
import { lasting, type Outcome, type Settling, settleAll, type Trial } from './settle.ts';

/**
 * The time limit in milliseconds for all trials together, on a busy machine. Trials spend most of
 * it waiting.
 */
const longest = 600_000;

const isFailure = ({ during: { status } }: Outcome): boolean => status === 'cut' || status >= 500;

/** Returns what a client may see while the fault of a trial happens. */
const expectedAnswers = ({ kind, times }: Trial, { probe }: Outcome): Answer[] => {
  const status = times === lasting ? kind.forEver : kind.once;
  return status === 200 ? [probe.success] : probe.failures(status);
};

/**
 * Tests what a client sees of each trial's request while the fault happens, and of the same request
 * after the fault. A run that occurs several times in `runs` has several trials at the same time.
 */
export const testTrials = (name: string, trials: Trial[], runs: FaultyRun[]) =>
  describe(`faults in ${name}`, () => {
    let settling: Settling[];
    let entriesBefore: object[];
    let logged: ReturnType<typeof logFrom>;

    /** Waits for the outcomes of all trials. */
    const allOutcomes = () => Promise.all(settling.map(({ outcome }) => outcome));
    /** Waits for the failures of all trials, and returns them by the operation that failed. */
    const failures = async () => {
      const failed = (await allOutcomes()).filter(isFailure);
      return [...Map.groupBy(failed, ({ probe }) => probe.operation)];
    };

    beforeAll(async () => {
      entriesBefore = (await runs[0]?.entries()) ?? [];
      logged = logFrom(runs);
      settling = settleAll(trials, runs);
    });

    test.each(trials.map((trial, index) => ({ ...trial, index })))(
      '$on has the expected outcome despite $kind.name, $times ×',
      async ({ index, ...trial }) => {
        const outcome = (await settling[index]?.outcome) as Outcome;
        expect(expectedAnswers(trial, outcome)).toContainEqual(outcome.during);
      },
      longest,
    );

    test('every fault has happened', async () => {
      const outcomes = await allOutcomes();
      const missed = trials.filter((_trial, index) => !outcomes[index]?.happened);
      expect(missed).toEqual([]);
    });

    test('every request succeeds after the fault', async () => {
      const outcomes = await allOutcomes();
      const expected = outcomes.map(({ probe }) => probe.success);
      expect(outcomes.map(({ after }) => after)).toEqual(expected);
    });

    testLog(() => logged(), failures);

    test('nothing changes except the quantities of the updated entries', async () => {
      await allOutcomes();
      const updates = settling.filter(({ trial }) => trial.on === 'an update');
      const updated = updates.map(({ petId }) => updatedItem(petId));
      expect(new Set(await runs[0]?.entries())).toEqual(new Set([...entriesBefore, ...updated]));
    });

    test('no fault makes an instance exit', async () => {
      await allOutcomes();
      expect(runs.map((run) => run.ended())).toEqual(runs.map(() => null));
    });
  });

/** Tests what the functions and the gateway log of failures. */
const testLog = (
  logged: ReturnType<typeof logFrom>,
  failures: () => Promise<[operation: string, outcomes: Outcome[]][]>,
) => {
  const errorsOf = (operation: string) =>
    logged().errors.filter((line) => line.operation === operation);

  test('each failure is logged once, with a stack trace of the source files', async () => {
    for (const [operation, { length }] of await failures()) {
      const line = {
        errorType: expect.any(String),
        errorMessage: expect.any(String),
        stack: expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/),
      };
      expect(errorsOf(operation)).toEqual(Array(length).fill(expect.objectContaining(line)));
    }
  });

  test('the log line of a failure has its cause', async () => {
    const cause = { errorMessage: 'Its checksum is missing or wrong.' };
    const line = { cause: expect.objectContaining(cause) };
    for (const [operation] of await failures()) {
      expect(errorsOf(operation)).toContainEqual(expect.objectContaining(line));
    }
  });

  test('the gateway logs the key and the status of each failure', async () => {
    for (const [operation] of await failures()) {
      // A request that was not authorized has neither.
      const errors = operation === 'authorize' ? [] : errorsOf(operation);
      const { ofGateway } = logged();
      for (const { requestId, keyId, status } of errors) {
        expect(ofGateway.get(requestId)).toMatchObject({ keyId, status: String(status) });
      }
    }
  });
};
