import { expect, test } from '@jest/globals';
import { ops } from '../../support/ops/ops.ts';
import {
  csvOf,
  exported,
  fileWith,
  header,
  importText,
  inventory,
  tablesOfStage,
} from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

/** Imports a text with --json. Returns the error that it ends with, too. */
const importAsJson = async (input: string, ...options: string[]) => {
  const words = ['inventory', 'import', '-', '--json', '--local', ...options];
  const { code, output, errors } = await ops(words, { input });
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  expect(errors).not.toMatch(/^(Line|Element) /m);
  return { code, output, error };
};

/** A file with four invalid entries. */
const faulty = `${header}1,1,sold\nx,-1,sold\n1,2,sold\n9,1\n10,5,pending\n1,3,sold\n`;
const petIdReason =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
  'in digits without leading zeros, not "x".';
const quantityReason = 'quantity must be an integer from 0 to 9007199254740991, not -1.';

test('invalid entries stop an import before anything is looked up, and each is named', async () => {
  const operations: string[] = [];
  stage.react = async ({ operation, forward }) => {
    operations.push(operation);
    return forward();
  };
  expect(await importText(faulty)).toEqual({
    code: 3,
    output: '',
    problems: [
      `Line 3: ${petIdReason}`,
      `Line 3: ${quantityReason}`,
      'Line 4: petId 1 is in line 2 already.',
      'Line 5: There must be 3 cells, not 2: "9,1".',
      'Line 7: petId 1 is in line 2 already.',
      'petstore: Invalid entries: 4. Nothing was written.',
    ],
  });
  expect(operations).toEqual([]);
});

test('with --json, the error lists what is wrong with each entry', async () => {
  expect(await importAsJson(faulty)).toEqual({
    code: 3,
    output: '',
    error: {
      code: 'invalid',
      message: 'Invalid entries: 4. Nothing was written.',
      hint: null,
      problems: [
        { line: 3, reason: petIdReason, column: 'petId', value: '"x"' },
        { line: 3, reason: quantityReason, column: 'quantity', value: '-1' },
        { line: 4, reason: 'petId 1 is in line 2 already.', column: 'petId', value: '1' },
        { line: 5, reason: 'There must be 3 cells, not 2: "9,1".', value: '"9,1"' },
        { line: 7, reason: 'petId 1 is in line 2 already.', column: 'petId', value: '1' },
      ],
    },
  });
});

test('what is wrong in a JSON array is named by its element', async () => {
  const object = '{"petId":1,"quantity":1,"status":"sold"}';
  expect((await importText(`[${object},[],${object}]`)).problems).toEqual([
    'Element 2: An entry must be an object with petId, quantity and status, not an array.',
    'Element 3: petId 1 is in element 1 already.',
    'petstore: Invalid entries: 2. Nothing was written.',
  ]);
});

const existing = `${header}1,1,sold\n2,2,sold\n3,3,sold\n4,4,sold\n`;
/** One entry as it is there, one with another quantity, one with another status, and three new. */
const differing = `${header}1,1,sold\n2,7,sold\n3,3,pending\n5,5,sold\n6,6,sold\n7,7,sold\n`;
const exists = [
  'petId 2 exists already: {"petId":2,"quantity":2,"status":"sold"}.',
  'petId 3 exists already: {"petId":3,"quantity":3,"status":"sold"}.',
] as const;
const conflict =
  'Entries that are in the table already, with other values: 2. Nothing was written.';
const hint =
  '--on-conflict skip leaves them as they are, ' +
  '--on-conflict replace sets them to what the file says.';

test.each([
  { what: 'an import', options: [] },
  { what: 'a dry run', options: ['--dry-run'] },
])('entries that exist with other values stop $what, and are named', async ({ options }) => {
  await importText(existing);
  expect(await importText(differing, ...options)).toEqual({
    code: 4,
    output: '',
    problems: [`Line 3: ${exists[0]}`, `Line 4: ${exists[1]}`, `petstore: ${conflict}`, hint],
  });
  expect(await exported()).toBe(existing);
});

test('with --json, the error lists the entries that exist with other values', async () => {
  await importText(existing);
  const problems = [
    { line: 3, reason: exists[0], column: 'petId', value: '2' },
    { line: 4, reason: exists[1], column: 'petId', value: '3' },
  ];
  expect(await importAsJson(differing)).toEqual({
    code: 4,
    output: '',
    error: { code: 'conflict', message: conflict, hint, problems },
  });
});

test.each([
  {
    action: 'skip',
    wouldDo: '6 read: 3 to create, 1 unchanged, 2 skipped. Nothing was written.\n',
    did: '6 read: 3 created, 2 skipped, 1 unchanged.\n',
    after: `${existing}5,5,sold\n6,6,sold\n7,7,sold\n`,
  },
  {
    action: 'replace',
    wouldDo: '6 read: 3 to create, 2 to replace, 1 unchanged. Nothing was written.\n',
    did: '6 read: 3 created, 2 replaced, 1 unchanged.\n',
    after: `${header}1,1,sold\n2,7,sold\n3,3,pending\n4,4,sold\n5,5,sold\n6,6,sold\n7,7,sold\n`,
  },
])('--on-conflict $action says what becomes of each entry, and --dry-run before', async (row) => {
  await importText(existing);
  const options = ['--on-conflict', row.action];
  const planned = await importText(differing, ...options, '--dry-run');
  expect(planned).toEqual({ code: 0, output: row.wouldDo, problems: [] });
  expect(await exported()).toBe(existing);

  const imported = await importText(differing, ...options);
  expect(imported).toEqual({ code: 0, output: row.did, problems: [] });
  expect(await exported()).toBe(row.after);
});

test('--json prints all counts', async () => {
  await importText(existing);
  const { output } = await importText(differing, '--on-conflict', 'replace', '--json');
  const none = { skipped: 0, changed: 0, left: 0, problems: [] };
  expect(JSON.parse(output)).toEqual({ read: 6, created: 3, replaced: 2, unchanged: 1, ...none });
});

test('an import of no entries writes nothing', async () => {
  expect(await importText(header)).toEqual({ code: 0, output: '0 read.\n', problems: [] });
  expect(await stage.items()).toEqual([]);
});

test('more entries than one request can look up are all looked up, with consistent reads', async () => {
  await importText(csvOf(101));
  const reads: unknown[] = [];
  stage.react = async ({ operation, body, forward }) => {
    const [{ Keys, ConsistentRead }] = Object.values(body.RequestItems) as [
      { Keys: unknown[]; ConsistentRead: boolean },
    ];
    reads.push({ operation, keys: Keys.length, ConsistentRead });
    return forward();
  };
  const output = '101 read: 101 unchanged.\n';
  expect(await importText(csvOf(101))).toEqual({ code: 0, output, problems: [] });
  expect(reads).toEqual([
    { operation: 'BatchGetItem', keys: 100, ConsistentRead: true },
    { operation: 'BatchGetItem', keys: 1, ConsistentRead: true },
  ]);
});

test('an import requests again the keys that DynamoDB left unprocessed', async () => {
  await importText(csvOf(10));
  const asked: number[] = [];
  stage.react = async ({ operation, body, forward }) => {
    if (operation !== 'BatchGetItem') {
      return forward();
    }
    const [[table, request]] = Object.entries(body.RequestItems) as [[string, { Keys: unknown[] }]];
    asked.push(request.Keys.length);
    const left = { ...request, Keys: request.Keys.splice(6) };
    const { status, body: response } = await forward();
    const UnprocessedKeys = left.Keys.length > 0 ? { [table]: left } : {};
    return { status, body: { ...response, UnprocessedKeys } };
  };
  const output = '11 read: 1 created, 10 unchanged.\n';
  expect(await importText(csvOf(11))).toEqual({ code: 0, output, problems: [] });
  expect(asked).toEqual([11, 5]);
});

test('Ctrl-C while entries are looked up writes nothing, and the command says so', async () => {
  const interruption = new AbortController();
  stage.react = async ({ forward }) => {
    interruption.abort();
    return forward();
  };
  const words = ['inventory', 'import', '-', '--local'];
  const settings = { input: csvOf(2_000), signal: interruption.signal };
  const { code, output, errors } = await ops(words, settings);
  expect({ code, output }).toEqual({ code: 130, output: '' });
  expect(errors).toMatch(/\npetstore: Interrupted\. Nothing was written\.\n$/);
  expect(await stage.items()).toEqual([]);
});

test('a file is imported', async () => {
  expect(await inventory('import', fileWith(existing))).toMatchObject({ code: 0 });
  expect(await exported()).toBe(existing);
});

test('a file that cannot be read is rejected before a stage is found', async () => {
  const { code, output, errors } = await ops([
    'inventory',
    'import',
    '/nowhere/pets.csv',
    '--stage',
    'prod',
  ]);
  expect({ code, output }).toEqual({ code: 3, output: '' });
  expect(errors).toMatch(/^petstore: Cannot read \/nowhere\/pets\.csv: ENOENT: /);
});

test('an error names standard input', async () => {
  expect((await importText('')).problems).toEqual(['petstore: Standard input is empty.']);
});
