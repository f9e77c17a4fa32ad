import { expect, test } from '@jest/globals';
import { inventoryStage } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const conflict = {
  status: 400,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message: 'x' },
};

test.each([
  { words: ['set', '1', '--quantity', '4'], input: undefined, after: ['1,4,available'] },
  {
    words: ['import', '-', '--on-conflict', 'replace'],
    input: 'petId,quantity,status\n1,4,sold\n',
    after: ['1,4,sold'],
  },
  { words: ['remove', '1', '--yes'], input: undefined, after: [] },
])('$words.0 repeats a write that meets a transaction', async ({ words, input, after }) => {
  await stage.put('1,7,available');
  let conflicts = 0;
  stage.react = async ({ operation, forward }) => {
    if (['UpdateItem', 'DeleteItem'].includes(operation) && conflicts < 3) {
      conflicts += 1;
      return conflict;
    }
    return forward();
  };
  const end = await stage.local(words, input === undefined ? {} : { input });
  expect(end).toStrictEqual({ ...end, code: 0 });

  expect(conflicts).toBe(3);
  expect(await stage.entries()).toStrictEqual(after);
});
