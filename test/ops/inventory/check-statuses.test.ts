import { afterAll, expect, test } from '@jest/globals';
import { petStatuses } from '../../../functions/inventory/item.ts';
import { inventoryStage, onProd } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

// As in a version that knows one more.
const known = petStatuses as unknown as string[];
known.push('reserved');
afterAll(() => void known.pop());

const setReserved = () => stage.prod(['set', '7', '--status', 'reserved', '--yes']);

test('a stack that does not say what it reads can read what the specification names', async () => {
  await stage.put('7,1,sold');
  expect(await setReserved()).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onProd}petstore: prod cannot read the status reserved yet: every list would fail. ` +
      'Release this version to prod first. Nothing was written.\n',
  });
  expect(await stage.entries()).toStrictEqual(['7,1,sold']);
});

test('a stack that reads a new status gets it', async () => {
  await stage.put('7,1,sold');
  stage.outputs = { Statuses: 'available pending sold reserved' };
  expect((await setReserved()).code).toBe(0);
  expect(await stage.entries()).toStrictEqual(['7,1,reserved']);
});
