import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

test.each([
  { options: ['--quantity', '0'], quantity: 0, status: 'sold' },
  { options: ['--quantity', '9007199254740991'], quantity: 9007199254740991, status: 'sold' },
  { options: ['--status', 'pending'], quantity: 7, status: 'pending' },
  { options: ['--quantity', '8', '--status', 'available'], quantity: 8, status: 'available' },
])('set $options changes that of one entry, and prints it', async (row) => {
  await stage.put('-5,7,sold', '5,5,sold');
  expect(await stage.local(['set', '-5', ...row.options])).toStrictEqual({
    code: 0,
    output: `{"petId":-5,"quantity":${row.quantity},"status":"${row.status}"}\n`,
    errors: onLocal,
  });
  expect(await stage.entries()).toStrictEqual([`-5,${row.quantity},${row.status}`, '5,5,sold']);
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

test('set of a petId that no entry has fails, and creates none', async () => {
  expect(await stage.local(['set', '7', '--quantity', '1'])).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: No entry has the petId 7. inventory import creates entries.\n`,
  });
  expect(await stage.entries()).toStrictEqual([]);
});

test('set succeeds although the response to its first try is lost', async () => {
  await stage.put('1,7,sold');
  const writes = stage.loseFirst('UpdateItem');
  expect(await stage.local(['set', '1', '--quantity', '8'])).toStrictEqual({
    code: 0,
    output: '{"petId":1,"quantity":8,"status":"sold"}\n',
    errors: onLocal,
  });
  expect(writes()).toBeGreaterThan(1);
  expect(await stage.entries()).toStrictEqual(['1,8,sold']);
});

const help = '(--help shows how it is used)\n';
const quantityError = (given: string) =>
  `error: option '--quantity <quantity>' argument '${given}' is invalid. ` +
  `It must be an integer from 0 to 9007199254740991, in digits without leading zeros.\n${help}`;

test.each([
  { options: [], errors: `error: say what to set: --quantity, --status or both\n${help}` },
  ...['007', '-1', '1.5', '1e2', '', '9007199254740992'].map((given) => {
    return { options: [`--quantity=${given}`], errors: quantityError(given) };
  }),
  {
    options: ['--status', 'Sold'],
    errors:
      "error: option '--status <status>' argument 'Sold' is invalid. " +
      `Allowed choices are available, pending, sold.\n${help}`,
  },
])('set 7 $options is wrong usage', async ({ options, errors }) => {
  await stage.put('7,1,sold');
  expect(await stage.local(['set', '7', ...options])).toStrictEqual({
    code: 2,
    output: '',
    errors,
  });
  expect(await stage.entries()).toStrictEqual(['7,1,sold']);
});
