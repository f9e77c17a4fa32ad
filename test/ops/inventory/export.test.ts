import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const some = [
  '9007199254740993,1,sold',
  '-3,9007199254740991,available',
  '2,0,pending',
  '10,0,sold',
];

test('export prints every entry as CSV, ordered by petId, with every digit', async () => {
  await stage.put(...some);
  expect(await stage.local(['export'])).toStrictEqual({
    code: 0,
    output:
      'petId,quantity,status\n-3,9007199254740991,available\n2,0,pending\n10,0,sold\n9007199254740993,1,sold\n',
    errors: `${onLocal}Read 4\n`,
  });
});

test('export --json prints an array as the API does', async () => {
  await stage.put(...some);
  expect(await stage.local(['export', '--json'])).toStrictEqual({
    code: 0,
    output:
      '[{"petId":-3,"quantity":9007199254740991,"status":"available"},' +
      '{"petId":2,"quantity":0,"status":"pending"},{"petId":10,"quantity":0,"status":"sold"},' +
      '{"petId":9007199254740993,"quantity":1,"status":"sold"}]\n',
    errors: `${onLocal}Read 4\n`,
  });
});

test('an export of no entries has the names of the columns', async () => {
  expect((await stage.local(['export'])).output).toBe('petId,quantity,status\n');
  expect((await stage.local(['export', '--json'])).output).toBe('[]\n');
});

const help =
  'Nothing was exported, and every list fails, because entries break the contract. ' +
  'Mend them with inventory set or inventory remove; ' +
  'one whose petId is no int64, in the console of DynamoDB.';

test('entries that break the contract are named, and nothing is printed', async () => {
  await stage.put('1,1,sold', '2,-,sold', '3,1,lost\u200b', '1.5,1,sold');
  const { code, output, errors } = await stage.local(['export']);
  // In the order of the table, which is not that of petIds.
  const lines = errors.replace('petstore: ', '').trimEnd().split('\n').toSorted();
  expect({ code, output, lines }).toStrictEqual({
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
  const { errors } = await stage.local(['export', '--json']);
  const { error } = JSON.parse(errors.split('\n').at(-2) ?? '');
  const lines: string[] = error.message.split('\n');
  const named = lines
    .slice(0, 20)
    .map((line) => line.replace(/^petId \d+: its status is "lost" .* sold\.$/, 'named'));
  expect([...named, ...lines.slice(20)]).toStrictEqual([
    ...Array(20).fill('named'),
    'And 3 more.',
    help,
  ]);
});

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 0n),
);
const anyEntry = fc
  .tuple(int64, fc.maxSafeNat(), fc.constantFrom('available', 'pending', 'sold'))
  .map(([petId, quantity, status]) => ({ petId, text: [petId, quantity, status].join() }));

test('what is exported is imported again, digit for digit', async () => {
  const inventory = fc.uniqueArray(anyEntry, { maxLength: 5, selector: ({ petId }) => petId });
  const roundTrip = async (entries: { petId: bigint; text: string }[], format: string[]) => {
    await stage.put(...entries.map(({ text }) => text));
    const before = await stage.entries();
    const { output: input } = await stage.local(['export', ...format]);
    for (const { petId } of entries) {
      await stage.remove(String(petId));
    }
    await stage.local(['import', '-'], { input });
    expect(await stage.entries()).toStrictEqual(before);
    for (const { petId } of entries) {
      await stage.remove(String(petId));
    }
  };
  const property = fc.asyncProperty(
    inventory,
    fc.constantFrom<string[]>([], ['--json']),
    roundTrip,
  );
  await fc.assert(property, { numRuns: 10 });
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
