import { expect, test } from '@jest/globals';
import { csv, inventoryStage } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const petIds = Array.from({ length: 22 }, (_, petId) => String(petId));
const input = csv(...petIds.map((petId) => `${petId},2,sold`));

test.each([
  { what: 'damaged entries', status: 'lost', run: () => stage.local(['export']) },
  {
    what: 'entries that differ',
    status: 'sold',
    run: () => stage.local(['import', '-'], { input }),
  },
  { what: 'entries to remove', status: 'sold', run: () => stage.prod(['remove', ...petIds]) },
])('of many $what, the first 20 are named, and the others counted', async ({ status, run }) => {
  await stage.put(...petIds.map((petId) => `${petId},1,${status}`));
  const { errors } = await run();
  const named = errors.split('\n').filter((line) => /petId/.test(line) && !/Nothing/.test(line));
  expect(named).toHaveLength(20);
  expect(errors).toContain('\nAnd 2 more.\n');
});
