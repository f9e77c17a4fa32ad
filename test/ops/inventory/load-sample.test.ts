import { expect, test } from '@jest/globals';
import { petStatuses } from '../../../functions/inventory/item.ts';
import { loadSample } from '../../../ops/inventory/load-sample.ts';
import { inventoryStage } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

test('the sample has both ends of every number, and leaves entries that exist', async () => {
  await stage.put('2,7,sold', '77,1,sold');
  await loadSample({ client: stage.client, TableName: stage.tables.inventory });
  expect(await stage.entries()).toStrictEqual([
    '-9223372036854775808,1,pending',
    '1,12,available',
    '2,7,sold',
    '3,0,sold',
    '42,9007199254740991,available',
    '77,1,sold',
    '9007199254740993,5,available',
    '9223372036854775807,1,available',
  ]);
});

test('the sample has each status', async () => {
  await loadSample({ client: stage.client, TableName: stage.tables.inventory });
  const statuses = (await stage.entries()).map((entry) => entry.split(',')[2]);
  expect([...new Set(statuses)].sort()).toStrictEqual(petStatuses.toSorted());
});
