import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FaultyRun } from './faulty-run.ts';
import type { Kind } from './kinds.ts';
import { type Answer, type Probe, probes, updatedItem } from './probes.ts';

export const lasting = Number.POSITIVE_INFINITY;

/** A fault that happens to `times` calls in a row of one kind of request. */
export interface Trial {
  kind: Kind;
  on: keyof typeof probes;
  times: number;
}

type Outcome = { probe: Probe; during: Answer; happened: boolean; after: Answer };

/**
 * The time limit in milliseconds for all trials together, on a busy machine. Trials spend most of
 * it waiting.
 */
const longest = 600_000;

/**
 * Tests what a client sees of each trial's request while the fault happens, and of the same request
 * after the fault. A run that occurs several times in `runs` has several trials at the same time.
 */
export const testTrials = (name: string, trials: Trial[], runs: FaultyRun[]) =>
  describe(`faults in ${name}`, () => {
    const outcomes = new Map<Trial, Outcome>();
    let before: object[];
    /** The length of each run's log when the trials began. */
    let logged: Map<FaultyRun, number>;

    const petIdOf = (trial: Trial) => 1_000 + trials.indexOf(trial);
    const settle = async (run: FaultyRun, queue: Iterable<Trial>) => {
      for (const trial of queue) {
        const probe = await probes[trial.on](run, petIdOf(trial));
        const end = run.inject({ ...probe, ...trial.kind, times: trial.times });
        const during = await probe.ask();
        outcomes.set(trial, { probe, during, happened: end(), after: await probe.ask() });
      }
    };

    beforeAll(async () => {
      before = (await runs[0]?.entries()) ?? [];
      logged = new Map(runs.map((run) => [run, run.log().length]));
      // On a busy machine, a cold start may take longer than the time limit of a request.
      const warmUp = async (run: FaultyRun) => (await probes['the check of a key'](run)).ask();
      await Promise.all(runs.flatMap((run) => [warmUp(run), run.send({ path: '/inventory' })]));
      // Temporary faults come first, because lasting faults use up an instance's quota of retries
      // in the SDK.
      for (const lasts of [false, true]) {
        const queue = trials.filter(({ times }) => (times === lasting) === lasts).values();
        await Promise.all(runs.map((run) => settle(run, queue)));
      }
    }, longest);

    test.each(trials)('$on has the expected outcome despite $kind.name, $times ×', (trial) => {
      const { probe, during, happened, after } = outcomes.get(trial) as Outcome;
      const status = trial.times === lasting ? trial.kind.forEver : trial.kind.once;
      expect(status === 200 ? [probe.success] : probe.failures(status)).toContainEqual(during);
      expect({ happened, after }).toEqual({ happened: true, after: probe.success });
    });

    test('the function logs each failure with its cause, and the gateway logs the same status under the same requestId', () => {
      const log = [...logged].map(([run, start]) => run.log().slice(start)).join('');
      const lines = (log.match(/^\{.*$/gm) ?? []).map((line) => JSON.parse(line));
      const ofGateway = new Map(
        lines.filter(({ level }) => !level).map((line) => [line.requestId, line]),
      );
      const failures = [...outcomes.values()].filter(
        ({ during: { status } }) => status === 'cut' || status >= 500,
      );
      for (const [operation, { length }] of Map.groupBy(failures, ({ probe }) => probe.operation)) {
        const errors = lines.filter(
          (line) => line.operation === operation && line.level === 'ERROR',
        );
        const text = expect.any(String);
        // Although the code is bundled, its stack traces must name positions in the source files.
        const stack = expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/);
        expect(errors).toEqual(
          Array(length).fill(
            expect.objectContaining({ errorType: text, errorMessage: text, stack }),
          ),
        );
        const cause = expect.objectContaining({
          errorMessage: 'Its checksum is missing or wrong.',
        });
        expect(errors).toContainEqual(expect.objectContaining({ cause }));
        for (const { requestId, keyId, status } of operation === 'authorize' ? [] : errors) {
          expect(ofGateway.get(requestId)).toMatchObject({ keyId, status: String(status) });
        }
      }
    });

    test('nothing changes except the quantities of the updated entries', async () => {
      const updated = trials
        .filter(({ on }) => on === 'an update')
        .map((trial) => updatedItem(petIdOf(trial)));
      expect(new Set(await runs[0]?.entries())).toEqual(new Set([...before, ...updated]));
    });

    test('no fault makes an instance exit', () => {
      expect(runs.map((run) => run.ended())).toEqual(runs.map(() => null));
    });
  });
