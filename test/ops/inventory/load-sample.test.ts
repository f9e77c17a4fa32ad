import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { petStatuses } from '../../../functions/inventory/item.ts';
import { loadSample } from '../../../ops/inventory/load-sample.ts';
import { inventoryStage } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const [, ...sample] = readFileSync('ops/sample-inventory.csv', 'utf8').trim().split('\n');

test('the sample is loaded, and leaves entries that exist', async () => {
  await stage.put('2,7,sold', '77,1,sold');
  await loadSample({ client: stage.client, TableName: stage.tables.inventory });
  const others = sample.filter((entry) => !entry.startsWith('2,'));
  expect((await stage.entries()).sort()).toStrictEqual([...others, '2,7,sold', '77,1,sold'].sort());
});

test('the sample has both ends of every number, a petId that doubles round, and each status', () => {
  const [petIds, quantities, statuses] = [0, 1, 2].map((column) =>
    sample.map((entry) => entry.split(',')[column]),
  );
  expect(petIds).toStrictEqual(
    expect.arrayContaining(['-9223372036854775808', '9223372036854775807', '9007199254740993']),
  );
  // The pet to which doubles round the last of these.
  expect(petIds).not.toContain('9007199254740992');
  expect(quantities).toStrictEqual(expect.arrayContaining(['0', '9007199254740991']));
  expect([...new Set(statuses)].sort()).toStrictEqual(petStatuses.toSorted());
});
