import { expect, test } from '@jest/globals';
import { csv, inventoryStage } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

test('an import goes on where responses fail, whether or not their writes were applied', async () => {
  let writes = 0;
  stage.react = async ({ operation, forward }) => {
    const failure = { status: 500, body: { __type: 'x#InternalServerError', message: 'No.' } };
    writes += operation === 'UpdateItem' ? 1 : 0;
    if (operation !== 'UpdateItem' || writes % 20 !== 0) {
      return forward();
    }
    if (writes % 40 === 0) {
      await forward();
    }
    return failure;
  };
  const entries = Array.from({ length: 100 }, (_, petId) => `${petId},${petId},sold`);
  await stage.put('7,1,pending');
  const result = await stage.local(['import', '-', '--replace'], { input: csv(...entries) });
  expect(result).toMatchObject({
    code: 0,
    output: '100 read: 99 created, 1 replaced, 0 unchanged.\n',
  });
  expect(writes).toBeGreaterThan(100);
  expect(await stage.entries()).toStrictEqual(entries);
});
