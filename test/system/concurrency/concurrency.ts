import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { inParallel } from '../../support/in-parallel.ts';
import { type FaultyRun, faultyRun } from '../faults/faulty-run.ts';
import { contradictions, type Histories, readAll, update } from './histories.ts';

// What one BatchWriteItem takes.
const petIds = Array.from({ length: 25 }, (_, index) => String(1000 + index));

/** Tests so many updates, of which a number goes on at a time, and then all of those are waited for. */
export const testConcurrency = (updates: number, width: number) => {
  let run: FaultyRun;
  beforeAll(async () => {
    // Lists of several pages, read in segments.
    run = await faultyRun(5);
    const items = petIds.map((N) => ({ petId: { N }, quantity: { N: '1' }, status: { S: 'sold' } }));
    const RequestItems = { [run.tables.inventory]: items.map((Item) => ({ PutRequest: { Item } })) };
    await run.tables.client.send(new BatchWriteItemCommand({ RequestItems }));
  });

  test.each([
    ['one entry', 1],
    ['many entries', petIds.length],
  ])(
    'updates at once of %s, with lists between them, are all explained by an order of the writes',
    async (_what, updated) => {
      const histories: Histories = new Map();
      await readAll(run, histories);
      const callsBefore = run.count('UpdateItem');

      let written = 0;
      const writing = async () => {
        while (written < updates) {
          const statuses = await inParallel(Array.from({ length: width }), width, (_, index) =>
            update(run, histories, petIds[(written + index) % updated] ?? ''),
          );
          expect(statuses).toEqual(Array(width).fill(200));
          written += width;
          // With no update under way, there is no excuse for one that is missing.
          await readAll(run, histories);
        }
      };
      const reading = async () => {
        while (written < updates) {
          await readAll(run, histories);
        }
      };
      await Promise.all([writing(), reading(), reading()]);

      // One that was tried again may have been applied twice, with others between.
      expect(run.count('UpdateItem') - callsBefore).toBe(updates);
      expect(contradictions(histories)).toEqual([]);
      // The entry has been read while it was written.
      const seen = histories.get('1000')?.flatMap(({ kind, value }) => (kind === 'read' ? [value] : []));
      expect(new Set(seen).size).toBeGreaterThan(3);
    },
  );
};
