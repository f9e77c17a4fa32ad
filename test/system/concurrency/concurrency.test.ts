import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { faultyRun } from '../faults/faulty-run.ts';
import { contradictions, type Histories, meanwhile, readAll, update } from './histories.ts';

/** Updates that go on at a time, and then all of them are waited for; and how often that is done. */
const [width, rounds] = [100, 2];

// Lists of several pages, read in segments.
const run = await faultyRun(2);
// On a busy machine, the start of an instance may take longer than a request may.
await Promise.all(Array.from({ length: 10 }, () => run.patch(404, '{"quantity":1}')));

test.each([
  ['one entry', 1],
  ['all entries', 7],
])('hundreds of updates of %s, with lists between them, are all explained by an order of the writes', async (_, of) => {
  const histories: Histories = new Map();
  await readAll(run, histories);
  const petIds = [...histories.keys()].slice(0, of);
  const callsBefore = run.count('UpdateItem');

  const write = async () => {
    for (let round = 0; round < rounds; round++) {
      const statuses = await pMap(Array(width).keys(), (index) => update(run, histories, petIds[index % of] ?? ''));
      expect(statuses).toEqual(Array(width).fill(200));
      // With no update under way, there is no excuse for one that is missing.
      await readAll(run, histories);
    }
  };
  await meanwhile(write(), 2, () => readAll(run, histories));

  // One that was tried again may have been applied twice, with others between.
  expect(run.count('UpdateItem') - callsBefore).toBe(rounds * width);
  expect(contradictions(histories)).toEqual([]);
  // The entry has been read while it was written.
  const seen = histories.get(petIds[0] ?? '')?.flatMap(({ kind, value }) => (kind === 'read' ? [value] : []));
  expect(new Set(seen).size).toBeGreaterThan(3);
});
