import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

test.each([
  { entry: '-9223372036854775808,0,pending', quantity: 0, status: 'pending' },
  { entry: '9007199254740993,9007199254740991,sold', quantity: 9007199254740991, status: 'sold' },
])('get prints $entry with every digit, as the API does', async (row) => {
  const [petId = ''] = row.entry.split(',');
  await stage.put(row.entry, '1,1,sold');
  for (const options of [[], ['--json']]) {
    expect(await stage.local(['get', petId, ...options])).toStrictEqual({
      code: 0,
      output: `{"petId":${petId},"quantity":${row.quantity},"status":"${row.status}"}\n`,
      errors: onLocal,
    });
  }
});

test('get prints an entry that breaks the contract as the table holds it', async () => {
  await stage.put('42,1.5,-');
  expect((await stage.local(['get', '42'])).output).toBe('{"petId":42,"quantity":1.5}\n');
});

test('get of a petId that no entry has fails', async () => {
  await stage.put('1,1,sold');
  expect(await stage.local(['get', '7'])).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: No entry has the petId 7. inventory import creates entries.\n`,
  });
});

test('get is one consistent GetItem', async () => {
  await stage.put('1,1,sold');
  const reads: unknown[] = [];
  stage.react = ({ operation, body, forward }) => {
    reads.push([operation, body.Key, body.ConsistentRead]);
    return forward();
  };
  await stage.local(['get', '1']);
  expect(reads).toStrictEqual([['GetItem', { petId: { N: '1' } }, true]]);
});

test.each([
  'abc',
  '007',
  '+7',
  '-0',
  '1.5',
  '1e3',
  '',
  ' 7',
  '9223372036854775808',
  '-9223372036854775809',
])('"%s" is no petId, which is wrong usage of every command', async (petId) => {
  await stage.put('7,1,sold');
  stage.react = () => {
    throw new Error('Nothing is requested.');
  };
  for (const [command, ...options] of [['get'], ['set', '--quantity', '1'], ['remove', '--yes']]) {
    expect(await stage.local([command as string, petId, ...options])).toStrictEqual({
      code: 2,
      output: '',
      errors:
        `error: command-argument value '${petId}' is invalid for argument 'petId'. ` +
        'It must be an int64 in digits without leading zeros.\n(--help shows how it is used)\n',
    });
  }
});
