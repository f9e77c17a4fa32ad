import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const entries = [
  '-9223372036854775808,9007199254740991,available',
  '2,0,pending',
  '10,0,sold',
  '9007199254740993,1,sold',
];

test.each([
  { options: [], output: `petId,quantity,status\n${entries.join('\n')}\n` },
  {
    options: ['--json'],
    output:
      '[{"petId":-9223372036854775808,"quantity":9007199254740991,"status":"available"},' +
      '{"petId":2,"quantity":0,"status":"pending"},{"petId":10,"quantity":0,"status":"sold"},' +
      '{"petId":9007199254740993,"quantity":1,"status":"sold"}]\n',
  },
])(
  'export $options prints all, ordered by petId, so that import can bring it back',
  async (row) => {
    const { options, output } = row;
    await stage.put(...entries.toReversed());
    expect(await stage.local(['export', ...options])).toStrictEqual({
      code: 0,
      output,
      errors: `${onLocal}Read 4\n`,
    });
    for (const entry of entries) {
      await stage.remove(entry.replace(/,.*/, ''));
    }
    await stage.local(['import', '-'], { input: output });
    expect(await stage.entries()).toStrictEqual(entries);
  },
);

test('an export of no entries has the names of the columns', async () => {
  expect((await stage.local(['export'])).output).toBe('petId,quantity,status\n');
  expect((await stage.local(['export', '--json'])).output).toBe('[]\n');
});

test('every read of an export is consistent', async () => {
  const reads: unknown[] = [];
  stage.react = ({ operation, body, forward }) => {
    reads.push([operation, body.ConsistentRead]);
    return forward();
  };
  await stage.local(['export']);
  expect(reads).toStrictEqual([['Scan', true]]);
});

const help =
  'Nothing was exported, and every list fails, because entries break the contract. ' +
  'Mend them with inventory set or inventory remove; ' +
  'one whose petId is no int64, in the console of DynamoDB.';

test('entries that break the contract are named, and nothing is printed', async () => {
  await stage.put('1,1,sold', '2,-,sold', '3,1,lost\u200b', '1.5,1,sold');
  const { errors, ...result } = await stage.local(['export']);
  // In the order of the table, which is not that of petIds.
  const lines = errors.replace('petstore: ', '').trimEnd().split('\n').toSorted();
  expect({ ...result, lines }).toStrictEqual({
    code: 1,
    output: '',
    lines: [
      help,
      'Read 4',
      'Stage: staging of the local run',
      'petId 1.5: its petId is 1.5 and must be an int64.',
      'petId 2: its quantity is missing and must be an integer from 0 to 9007199254740991.',
      'petId 3: its status is "lost\\u200b" and must be one of available, pending, sold.',
    ],
  });
});

test('of many broken entries, 20 are named, and the others counted', async () => {
  await stage.put(...Array.from({ length: 23 }, (_entry, petId) => `${petId},1,lost`));
  const { errors } = await stage.local(['export']);
  expect(errors.split('\n').slice(22)).toStrictEqual(['And 3 more.', help, '']);
});
