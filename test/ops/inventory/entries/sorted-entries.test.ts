import { expect, test } from '@jest/globals';
import type { Entry } from '../../../../ops/inventory/entries/check-entry.ts';
import { SortedEntries } from '../../../../ops/inventory/entries/sorted-entries.ts';

const [smallest, largest] = ['-9223372036854775808', '9223372036854775807'];
const beyondDoubles = ['9007199254740993', '9007199254740992'];

const withEntries = (petIds: string[]): SortedEntries => {
  const entries = new SortedEntries();
  for (const [i, petId] of petIds.entries()) {
    entries.add({ petId, quantity: i, status: 'sold' }, i + 1);
  }
  return entries;
};

const petIdsOf = (entries: SortedEntries, size = 10): string[][] =>
  [...entries.batches(size)].map((batch) => batch.map(({ petId }) => petId));

test('entries are in order of petId, whose digits stay exact', () => {
  const entries = withEntries([largest, ...beyondDoubles, '-1', smallest, '10', '9']);
  expect(petIdsOf(entries)).toEqual([
    [smallest, '-1', '9', '10', ...beyondDoubles.toReversed(), largest],
  ]);
});

test('an entry keeps its values and its position', () => {
  const entry: Entry = { petId: '7', quantity: 9_007_199_254_740_991, status: 'pending' };
  const entries = new SortedEntries();
  expect(entries.add(entry, 12)).toBeUndefined();
  expect([...entries.batches(1)]).toEqual([[{ ...entry, position: 12 }]]);
});

test('a petId that is there already is not added again, and its position is returned', () => {
  const entries = withEntries(['5', '7']);
  expect(entries.add({ petId: '7', quantity: 99, status: 'sold' }, 3)).toBe(2);
  expect([...entries.batches(9)].flat()).toMatchObject([{ petId: '5' }, { quantity: 1 }]);
});

test.each([
  ['no entries', [], []],
  ['a batch that is not full', ['1'], [['1']]],
  [
    'full batches',
    ['1', '2', '3', '4'],
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['a batch that is left', ['1', '2', '3'], [['1', '2'], ['3']]],
])('batches of two hold %s', (_what, petIds, batches) => {
  expect(petIdsOf(withEntries(petIds), 2)).toEqual(batches);
});

test('entries that are removed between batches are left out, and no others', () => {
  const entries = withEntries(['1', '2', '3', '4', '5']);
  const seen: string[] = [];
  for (const batch of entries.batches(2)) {
    for (const entry of batch) {
      seen.push(entry.petId);
      entries.remove(entry);
    }
  }
  expect(seen).toEqual(['1', '2', '3', '4', '5']);
  expect(petIdsOf(entries)).toEqual([]);
});
