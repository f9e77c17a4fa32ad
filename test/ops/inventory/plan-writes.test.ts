import { expect, test } from '@jest/globals';
import type { InventoryItem } from '../../../functions/inventory/item.ts';
import { conflictActions, planWrites } from '../../../ops/inventory/plan-writes.ts';

const item: InventoryItem = { petId: 1n, quantity: 2, status: 'sold' };
const place = { line: 2 };
const stored = { petId: { N: '1' }, quantity: { N: '2' }, status: { S: 'sold' } };

const noCounts = { toCreate: 0, toReplace: 0, unchanged: 0, skipped: 0 };

test.each(conflictActions)('what the table lacks is created (%s)', (onConflict) => {
  const found = [{ place, item, seen: undefined }];
  const counts = { ...noCounts, toCreate: 1 };
  expect(planWrites(found, onConflict)).toEqual({ writes: found, conflicts: [], counts });
});

test.each(conflictActions)('what the table holds already is left alone (%s)', (onConflict) => {
  const found = [{ place, item, seen: { ...stored, note: { S: 'x' } } }];
  const counts = { ...noCounts, unchanged: 1 };
  expect(planWrites(found, onConflict)).toEqual({ writes: [], conflicts: [], counts });
});

test.each([
  { what: 'another quantity', seen: { ...stored, quantity: { N: '3' } } },
  { what: 'another status', seen: { ...stored, status: { S: 'pending' } } },
  { what: 'no quantity', seen: { ...stored, quantity: undefined } },
  { what: 'its quantity as text', seen: { ...stored, quantity: { S: '2' } } },
])('an entry that is there with $what is a conflict, skipped or replaced', ({ seen }) => {
  const found = [{ place, item, seen }];
  expect(planWrites(found, 'fail')).toEqual({ writes: [], conflicts: found, counts: noCounts });
  expect(planWrites(found, 'skip')).toEqual({
    writes: [],
    conflicts: [],
    counts: { ...noCounts, skipped: 1 },
  });
  expect(planWrites(found, 'replace')).toEqual({
    writes: found,
    conflicts: [],
    counts: { ...noCounts, toReplace: 1 },
  });
});
