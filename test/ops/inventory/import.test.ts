import { truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { csv, inventoryStage, onLocal, onProd } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const fromPipe = (input: string, ...options: string[]) =>
  stage.local(['import', '-', ...options], { input });

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-import-'));
});
afterAll(() => rm(directory, { recursive: true }));

test('import creates the entries of a file', async () => {
  await stage.put('1,7,sold');
  const file = join(directory, 'pets.csv');
  writeFileSync(file, csv('1,7,sold', '2,8,pending'));
  expect(await stage.local(['import', file])).toStrictEqual({
    code: 0,
    output: '2 read: 1 created, 0 replaced, 0 skipped, 1 unchanged.\n',
    errors: `${onLocal}Looked up 2 of 2\nWrote 1 of 1\n`,
  });
  expect(await stage.entries()).toStrictEqual(['1,7,sold', '2,8,pending']);
});

test('a file that does not exist is an error', async () => {
  expect(await stage.local(['import', '/none.csv'])).toStrictEqual({
    code: 1,
    output: '',
    errors: "petstore: ENOENT: no such file or directory, stat '/none.csv'\n",
  });
});

test('a file that is too long is an error before it is read', async () => {
  const file = join(directory, 'long.csv');
  writeFileSync(file, '');
  truncateSync(file, 600 * 1024 * 1024);
  expect(await stage.local(['import', file])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      'petstore: The file has 629,145,600 bytes. An import takes at most 250,000,000.\n' +
      'Split it, and import one part after the other. Each part of CSV needs the first line.\n',
  });
});

test('what is wrong with a file is named before a stage is looked for', async () => {
  const message =
    'Line 2: status must be available, pending or sold, not "Sold".\nNothing was written.';
  expect(await fromPipe(csv('1,1,Sold'))).toStrictEqual({
    code: 1,
    output: '',
    errors: `petstore: ${message}\n`,
  });
  expect(await fromPipe(csv('1,1,Sold'), '--json')).toStrictEqual({
    code: 1,
    output: '',
    errors: `${JSON.stringify({ error: { message } })}\n`,
  });
});

const differing = csv('1,9,sold', '2,8,pending', '3,3,sold');
const before = ['1,7,sold', '2,8,available', '4,4,sold'];
const lookedUp = `${onLocal}Looked up 3 of 3\n`;
const dryRun = 'This was a dry run: nothing was written.\n';
const whatToDo =
  'Nothing was written. --on-conflict skip leaves these entries as they are, ' +
  '--on-conflict replace sets them to what the file says.\n';
const conflict = {
  code: 1,
  output: '',
  errors:
    `${lookedUp}petstore: ` +
    'petId 1 exists with other values: {"petId":1,"quantity":7,"status":"sold"}.\n' +
    `petId 2 exists with other values: {"petId":2,"quantity":8,"status":"available"}.\n${whatToDo}`,
};
const skipped = ['1,7,sold', '2,8,available', '3,3,sold', '4,4,sold'];

test.each([
  { options: '--on-conflict fail', ...conflict, after: before },
  { options: '--dry-run', ...conflict, after: before },
  {
    options: '--on-conflict replace --dry-run',
    code: 0,
    output: `3 read: 1 created, 2 replaced, 0 skipped, 0 unchanged. ${dryRun}`,
    errors: lookedUp,
    after: before,
  },
  {
    options: '--on-conflict skip',
    code: 0,
    output: '3 read: 1 created, 0 replaced, 2 skipped, 0 unchanged.\n',
    errors: `${lookedUp}Wrote 1 of 1\n`,
    after: skipped,
  },
  {
    options: '--on-conflict skip --json',
    code: 0,
    output: '{"read":3,"created":1,"replaced":0,"skipped":2,"unchanged":0}\n',
    errors: `${lookedUp}Wrote 1 of 1\n`,
    after: skipped,
  },
  {
    options: '--on-conflict replace',
    code: 0,
    output: '3 read: 1 created, 2 replaced, 0 skipped, 0 unchanged.\n',
    errors: `${lookedUp}Wrote 3 of 3\n`,
    after: ['1,9,sold', '2,8,pending', '3,3,sold', '4,4,sold'],
  },
])('what becomes of entries with other values: $options', async (row) => {
  const { options, after, ...result } = row;
  await stage.put(...before);
  expect(await fromPipe(differing, ...options.split(' '))).toStrictEqual(result);
  expect(await stage.entries()).toStrictEqual(after);
});

test('of many entries that differ, the first 20 are named, and the others counted', async () => {
  const petIds = Array.from({ length: 22 }, (_entry, petId) => petId);
  await stage.put(...petIds.map((petId) => `${petId},1,sold`));
  const { errors } = await fromPipe(csv(...petIds.map((petId) => `${petId},2,sold`)));
  expect(errors.split('\n').slice(21)).toStrictEqual([
    'petId 19 exists with other values: {"petId":19,"quantity":1,"status":"sold"}.',
    'And 2 more.',
    ...whatToDo.split('\n'),
  ]);
});

test('petIds that a spreadsheet rounded are told before anything else', async () => {
  const file = csv('1,1,sold', '9007199254740990,1,sold', '-9223372036854770000,1,sold');
  expect(await fromPipe(file, '--dry-run')).toStrictEqual({
    code: 0,
    output: `3 read: 3 created, 0 replaced, 0 skipped, 0 unchanged. ${dryRun}`,
    errors:
      'Warning: 2 petIds of the file are so long that a spreadsheet, or a program such as jq, ' +
      'rounds them, and all of them end in zeros. They probably name other pets: ' +
      `compare them with where they come from.\n${lookedUp}`,
  });
});

test('a replaced entry keeps the attributes that somebody has added', async () => {
  const [petId, status, note] = [{ N: '1' }, { S: 'sold' }, { S: 'x' }];
  const Item = { petId, quantity: { S: 'many' }, status, note };
  await stage.client.putItem({ TableName: stage.tables.inventory, Item });
  await fromPipe(csv('1,7,sold'), '--on-conflict', 'replace');
  const { Items } = await stage.client.scan({ TableName: stage.tables.inventory });
  expect(Items).toStrictEqual([{ petId, quantity: { N: '7' }, status, note }]);
});

/** What is there when the entry is looked up, and when it is written. Nothing is shown as ''. */
test.each([
  { there: '1,7,sold', meanwhile: '1,5,sold' },
  { there: '1,7,sold', meanwhile: '1,7,pending' },
  { there: '1,-,sold', meanwhile: '1,5,sold' },
  { there: '1,7,-', meanwhile: '1,7,pending' },
  { there: '1,-,-', meanwhile: '' },
  { there: '', meanwhile: '1,-,-' },
])('an entry that changes meanwhile from "$there" to "$meanwhile" is left so', async (row) => {
  const { there, meanwhile } = row;
  await stage.put(...[there].filter(Boolean));
  stage.beforeFirst('UpdateItem', () =>
    meanwhile === '' ? stage.remove('1') : stage.put(meanwhile),
  );
  expect(await fromPipe(csv('1,9,sold'), '--on-conflict', 'replace')).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}Looked up 1 of 1\nWrote 1 of 1\n` +
      'petstore: petId 1 was changed by somebody else just now, and was left so.\n' +
      'The other entries were written. Run the same command again to see.\n',
  });
  expect(await stage.entries()).toStrictEqual([meanwhile].filter(Boolean));
});

test('an entry that somebody else creates meanwhile is skipped, if such are to be', async () => {
  await stage.put('2,2,sold');
  stage.beforeFirst('UpdateItem', () => stage.put('1,7,sold'));
  const file = csv('1,9,sold', '2,9,sold');
  expect(await fromPipe(file, '--on-conflict', 'skip')).toStrictEqual({
    code: 0,
    output: '2 read: 0 created, 0 replaced, 2 skipped, 0 unchanged.\n',
    errors: `${onLocal}Looked up 2 of 2\nWrote 1 of 1\n`,
  });
  expect(await stage.entries()).toStrictEqual(['1,7,sold', '2,2,sold']);
});

test.each(['fail', 'skip'])(
  'an entry is created once when the response to its write is lost: %s',
  async (action) => {
    const writes = stage.loseFirst('UpdateItem');
    expect(await fromPipe(csv('1,7,sold'), '--on-conflict', action)).toStrictEqual({
      code: 0,
      output: '1 read: 1 created, 0 replaced, 0 skipped, 0 unchanged.\n',
      errors: `${onLocal}Looked up 1 of 1\nWrote 1 of 1\n`,
    });
    expect(writes()).toBeGreaterThan(1);
    expect(await stage.entries()).toStrictEqual(['1,7,sold']);
  },
);

test('an import that an error stops says what to do, and goes on when it is run again', async () => {
  const file = csv('1,1,sold', '2,2,sold');
  stage.react = async ({ operation, body, forward }) => {
    const __type = 'com.amazon.coral.service#AccessDeniedException';
    return operation === 'UpdateItem' && body.Key.petId.N === '2'
      ? { status: 400, body: { __type, message: 'Not any more' } }
      : forward();
  };
  const { errors, ...result } = await fromPipe(file);
  expect({ ...result, errors: errors.replace(/Wrote [01] of/, 'Wrote … of') }).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}Looked up 2 of 2\nWrote … of 2\n` +
      'The import stopped. Run the same command again: it goes on from there.\n' +
      'petstore: Not any more\n' +
      'docs/reference.md#keys-and-stock has the policy of an operator.\n',
  });
  stage.react = ({ forward }) => forward();
  expect((await fromPipe(file)).code).toBe(0);
  expect(await stage.entries()).toStrictEqual(['1,1,sold', '2,2,sold']);
});

test('more entries than one request can look up are all looked up, consistently', async () => {
  await stage.put('100,1,sold');
  const lookUps: unknown[] = [];
  stage.react = ({ operation, body, forward }) => {
    if (operation === 'BatchGetItem') {
      const { Keys, ConsistentRead } = body.RequestItems[stage.tables.inventory];
      lookUps.push([Keys.length, ConsistentRead]);
    }
    return forward();
  };
  const rows = Array.from({ length: 101 }, (_row, petId) => `${petId},1,sold`);
  expect((await fromPipe(csv(...rows), '--dry-run')).output).toBe(
    `101 read: 100 created, 0 replaced, 0 skipped, 1 unchanged. ${dryRun}`,
  );
  expect(lookUps.sort()).toStrictEqual([
    [1, true],
    [100, true],
  ]);
});

test('keys that DynamoDB leaves unprocessed are requested again', async () => {
  await stage.put('1,7,sold', '2,8,sold');
  const asked: string[][] = [];
  stage.react = async ({ operation, body, forward }) => {
    if (operation !== 'BatchGetItem') {
      return forward();
    }
    const request = body.RequestItems[stage.tables.inventory];
    asked.push(request.Keys.map(({ petId }: { petId: { N: string } }) => petId.N));
    const left = asked.length === 1 ? request.Keys.splice(1) : [];
    const { status, body: response } = await forward();
    const UnprocessedKeys =
      left.length > 0 ? { [stage.tables.inventory]: { ...request, Keys: left } } : {};
    return { status, body: { ...response, UnprocessedKeys } };
  };
  expect((await fromPipe(csv('1,7,sold', '2,8,sold'))).output).toBe(
    '2 read: 0 created, 0 replaced, 0 skipped, 2 unchanged.\n',
  );
  expect(asked).toStrictEqual([['1', '2'], ['2']]);
});

test('on prod, import asks how many entries it may write, unless it is none', async () => {
  await stage.put('1,7,sold');
  const replace = ['import', '-', '--on-conflict', 'replace'];
  expect(await stage.prod(replace, { input: differing })).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onProd}Looked up 3 of 3\n` +
      'petstore: Create 2 and replace 1 entries in prod? ' +
      'There is no terminal to ask on: confirm with --yes.\n',
  });
  expect(await stage.entries()).toStrictEqual(['1,7,sold']);
  expect((await stage.prod([...replace, '--yes'], { input: differing })).code).toBe(0);
  expect(await stage.prod(replace, { input: differing })).toStrictEqual({
    code: 0,
    output: '3 read: 0 created, 0 replaced, 0 skipped, 3 unchanged.\n',
    errors: `${onProd}Looked up 3 of 3\nWrote 0 of 0\n`,
  });
});
