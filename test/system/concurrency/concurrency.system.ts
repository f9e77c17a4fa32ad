import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { type Passing, pass } from '../../support/dynamodb/dynamodb-proxy.ts';
import { faultyRun } from '../faults/faulty-run.ts';
import { contradictions, type Histories, meanwhile, readAll, update } from './histories.ts';

/**
 * The number of updates in flight at the same time, and of rounds, each of which waits for all its
 * updates.
 */
const [width, rounds] = [100, 2];

// Two entries per page, so that a list has several pages and is read in segments.
const run = await faultyRun(2);
// On a busy machine, a cold start may take longer than the time limit of a request.
await Promise.all(Array.from({ length: 10 }, () => run.patch(404, '{"quantity":1}')));

const responses = new Map<unknown, ReturnType<Passing['forward']>>();
/**
 * Runs each update once. On a busy machine, an update may be retried, and then be applied with
 * others in between.
 */
const runOnce = (call: Passing) => {
  const id = call.headers['amz-sdk-invocation-id'];
  const response = responses.get(id) ?? call.forward();
  responses.set(id, response);
  return pass({ ...call, forward: () => response });
};
run.inject({ on: 'UpdateItem', what: runOnce });

test.each([
  ['one entry', 1],
  ['all entries', 7],
])(
  'one order of the writes explains hundreds of updates of %s and the lists between them',
  async (_, of) => {
    const histories: Histories = new Map();
    await readAll(run, histories);
    const petIds = [...histories.keys()].slice(0, of);

    const write = async () => {
      for (let round = 0; round < rounds; round++) {
        const statuses = await pMap(Array(width).keys(), (index) =>
          update(run, histories, petIds[index % of] ?? ''),
        );
        expect(statuses).toEqual(Array(width).fill(200));
        // No update is in flight, so this list must show the results of all of them.
        await readAll(run, histories);
      }
    };
    await meanwhile(write(), 2, () => readAll(run, histories));

    expect(contradictions(histories)).toEqual([]);
    // The lists must have shown several values, or else none was read while updates were in flight.
    const seen = histories
      .get(petIds[0] ?? '')
      ?.flatMap(({ kind, value }) => (kind === 'read' ? [value] : []));
    expect(new Set(seen).size).toBeGreaterThan(3);
  },
);
