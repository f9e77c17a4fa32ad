import { expect, test } from '@jest/globals';
import { loadSample } from '../../../ops/inventory/load-sample.ts';
import { inventoryStage } from '../../support/ops/inventory.ts';

const stage = inventoryStage();
const load = () => loadSample({ client: stage.client, TableName: stage.tables.inventory });

const sample = [
  '-9223372036854775808,1,pending',
  '1,12,available',
  '2,3,pending',
  '3,0,sold',
  '42,9007199254740991,available',
  '9007199254740993,5,available',
  '9223372036854775807,1,available',
];

test('the sample has both ends of every number, and one that a double would round', async () => {
  await load();
  expect(await stage.entries()).toStrictEqual(sample);
});

test('entries that exist stay as they are', async () => {
  await stage.put('2,7,sold', '77,1,sold');
  await load();
  expect(await stage.entries()).toStrictEqual([
    ...sample.slice(0, 2),
    '2,7,sold',
    ...sample.slice(3, 5),
    '77,1,sold',
    ...sample.slice(5),
  ]);
});
