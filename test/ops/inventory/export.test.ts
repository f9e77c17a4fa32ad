import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const some = ['9007199254740993,1,sold', '-3,9007199254740991,available', '0,0,pending'];

test('export prints every entry as CSV, ordered by petId, with every digit', async () => {
  await stage.put(...some);
  expect(await stage.local(['export'])).toStrictEqual({
    code: 0,
    output:
      'petId,quantity,status\n-3,9007199254740991,available\n0,0,pending\n9007199254740993,1,sold\n',
    errors: `${onLocal}Read 3\n`,
  });
});

test.each([['--json'], ['--format', 'json'], ['--json', '--format', 'csv']])(
  'export %s %s prints JSON as the API does',
  async (...options) => {
    await stage.put(...some);
    expect((await stage.local(['export', ...options])).output).toBe(
      '[{"petId":-3,"quantity":9007199254740991,"status":"available"},' +
        '{"petId":0,"quantity":0,"status":"pending"},' +
        '{"petId":9007199254740993,"quantity":1,"status":"sold"}]\n',
    );
  },
);

test('an export of no entries has the names of the columns', async () => {
  expect((await stage.local(['export'])).output).toBe('petId,quantity,status\n');
  expect((await stage.local(['export', '--json'])).output).toBe('[]\n');
});

test('entries that break the contract are named, and nothing else is printed', async () => {
  await stage.put('1,1,sold', '2,-,sold', '3,1,lost');
  // In the order of the table, which is not that of petIds.
  const { code, output, errors } = await stage.local(['export']);
  expect({ code, output, lines: errors.split('\n').toSorted() }).toStrictEqual({
    code: 1,
    output: '',
    lines: [
      '',
      'Read 3',
      'Stage: staging of the local run',
      'petId 2: its quantity is missing and must be an integer from 0 to 9007199254740991.',
      'petId 3: its status is "lost" and must be one of available, pending, sold.',
      'petstore: 2 entries break the contract, so every list fails. ' +
        'Repair each with inventory set, or remove it with inventory remove.',
    ],
  });
});

test('an exported file is imported without a change', async () => {
  await stage.put(...some);
  const { output: input } = await stage.local(['export']);
  expect((await stage.local(['import', '-'], { input })).output).toBe(
    '3 read: 0 created, 0 replaced, 0 skipped, 3 unchanged.\n',
  );
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
