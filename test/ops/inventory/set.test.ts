import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

test.each([
  { options: '--quantity 0', stock: { quantity: 0, status: 'sold' } },
  { options: '--quantity 9007199254740991', stock: { quantity: 9007199254740991, status: 'sold' } },
  { options: '--status pending', stock: { quantity: 7, status: 'pending' } },
  { options: '--quantity 8 --status available', stock: { quantity: 8, status: 'available' } },
])('set $options changes that of one entry, and prints it', async ({ options, stock }) => {
  await stage.put('-5,7,sold', '5,5,sold');
  const { quantity, status } = stock;
  expect(await stage.local(['set', '-5', ...options.split(' ')])).toStrictEqual({
    code: 0,
    output: `{"petId":-5,"quantity":${quantity},"status":"${status}"}\n`,
    errors: onLocal,
  });
  expect(await stage.entries()).toStrictEqual([`-5,${quantity},${status}`, '5,5,sold']);
});

test('set touches nothing else of an entry, whatever else is wrong with it', async () => {
  const [petId, note, lost] = [{ N: '42' }, { S: 'x' }, { S: 'lost' }];
  const Item = { petId, quantity: { S: 'many' }, status: lost, note };
  await stage.client.putItem({ TableName: stage.tables.inventory, Item });
  expect((await stage.local(['set', '42', '--quantity', '5'])).output).toBe(
    '{"petId":42,"quantity":5,"status":"lost"}\n',
  );
  const { Items } = await stage.client.scan({ TableName: stage.tables.inventory });
  expect(Items).toStrictEqual([{ petId, quantity: { N: '5' }, status: lost, note }]);
});

test.each([
  { options: [], problem: 'error: say what to set: --quantity, --status or both' },
  {
    options: ['--quantity', '1e2'],
    problem:
      "error: option '--quantity <quantity>' argument '1e2' is invalid. " +
      'It must be an integer from 0 to 9007199254740991, in digits without leading zeros.',
  },
  {
    options: ['--status', 'Sold'],
    problem:
      "error: option '--status <status>' argument 'Sold' is invalid. " +
      'Allowed choices are available, pending, sold.',
  },
])('set 7 $options is wrong usage', async ({ options, problem }) => {
  await stage.put('7,1,sold');
  expect(await stage.local(['set', '7', ...options])).toStrictEqual({
    code: 2,
    output: '',
    errors: `${problem}\n(--help shows how it is used)\n`,
  });
  expect(await stage.entries()).toStrictEqual(['7,1,sold']);
});
