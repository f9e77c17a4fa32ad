import { expect, test } from '@jest/globals';
import { csv, inventoryStage } from '../support/ops/inventory.ts';

const stage = inventoryStage();

/** One response in so many fails. */
const interval = 500;

test('a long import ends whole although responses fail, whether or not their writes were applied', async () => {
  let writes = 0;
  stage.react = async ({ operation, forward }) => {
    writes += operation === 'UpdateItem' ? 1 : 0;
    if (operation !== 'UpdateItem' || writes % interval !== 0) {
      return forward();
    }
    const isApplied = writes % (2 * interval) === 0;
    await (isApplied && forward());
    return { status: 500, body: { __type: 'x#InternalServerError', message: 'No.' } };
  };
  const entries = Array.from({ length: 3_000 }, (_, petId) => `${petId},${petId},sold`);
  await stage.put('7,1,pending');
  const result = await stage.local(['import', '-', '--replace'], { input: csv(...entries) });
  expect(result).toMatchObject({
    code: 0,
    output: '3000 read: 2999 created, 1 replaced, 0 unchanged.\n',
  });
  // On a busy machine, a client may repeat some more.
  expect(writes).toBeGreaterThanOrEqual(3_006);
  expect(await stage.entries()).toStrictEqual(entries);
});
