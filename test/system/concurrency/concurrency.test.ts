import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { faultyRun } from '../faults/faulty-run.ts';
import { contradictions, type Histories, meanwhile, readAll, update } from './histories.ts';

/** The number of updates in flight at the same time, and of rounds, each of which waits for all its updates. */
const [width, rounds] = [100, 2];

// Two entries per page, so that a list has several pages and is read in segments.
const run = await faultyRun(2);
// On a busy machine, a cold start may take longer than the time limit of a request.
await Promise.all(Array.from({ length: 10 }, () => run.patch(404, '{"quantity":1}')));

test.each([
  ['one entry', 1],
  ['all entries', 7],
])('hundreds of updates of %s, and lists between them, are explained by one order of the writes', async (_, of) => {
  const histories: Histories = new Map();
  await readAll(run, histories);
  const petIds = [...histories.keys()].slice(0, of);
  const callsBefore = run.count('UpdateItem');

  const write = async () => {
    for (let round = 0; round < rounds; round++) {
      const statuses = await pMap(Array(width).keys(), (index) => update(run, histories, petIds[index % of] ?? ''));
      expect(statuses).toEqual(Array(width).fill(200));
      // With no update in flight, the list must show the result of every update.
      await readAll(run, histories);
    }
  };
  await meanwhile(write(), 2, () => readAll(run, histories));

  // No update was retried, because a retried one may be applied twice, with other updates in between.
  expect(run.count('UpdateItem') - callsBefore).toBe(rounds * width);
  expect(contradictions(histories)).toEqual([]);
  // Some lists were read while the updates were in flight.
  const seen = histories.get(petIds[0] ?? '')?.flatMap(({ kind, value }) => (kind === 'read' ? [value] : []));
  expect(new Set(seen).size).toBeGreaterThan(3);
});
