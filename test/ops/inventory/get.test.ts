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
