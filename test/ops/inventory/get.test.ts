import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

test.each([
  {
    what: 'the first petId',
    stored: '-9223372036854775808,0,pending',
    output: '{"petId":-9223372036854775808,"quantity":0,"status":"pending"}\n',
  },
  {
    what: 'what a double would round',
    stored: '9007199254740993,9007199254740991,sold',
    output: '{"petId":9007199254740993,"quantity":9007199254740991,"status":"sold"}\n',
  },
  {
    what: 'what breaks the contract, as the table holds it',
    stored: '42,1.5,-',
    output: '{"petId":42,"quantity":1.5}\n',
  },
])('get prints one entry: $what', async ({ stored, output }) => {
  const [petId = ''] = stored.split(',');
  await stage.put(stored, '1,1,sold');
  expect(await stage.local(['get', petId])).toStrictEqual({ code: 0, output, errors: onLocal });
  expect((await stage.local(['get', petId, '--json'])).output).toBe(output);
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

const oneEntry = [
  { line: ['get', '7'] },
  { line: ['set', '7', '--quantity', '1'] },
  { line: ['remove', '7', '--yes'] },
];

test.each(oneEntry)('$line fails if no entry has the petId, and creates none', async ({ line }) => {
  expect(await stage.local(line)).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: No entry has the petId 7. inventory import creates entries.\n`,
  });
  expect(await stage.entries()).toStrictEqual([]);
});

test.each(oneEntry)('$line with 07 for 7 is wrong usage', async ({ line }) => {
  await stage.put('7,7,sold');
  expect(await stage.local(line.with(1, '07'))).toStrictEqual({
    code: 2,
    output: '',
    errors:
      "error: command-argument value '07' is invalid for argument 'petId'. " +
      'It must be an int64 in digits without leading zeros.\n(--help shows how it is used)\n',
  });
  expect(await stage.entries()).toStrictEqual(['7,7,sold']);
});
