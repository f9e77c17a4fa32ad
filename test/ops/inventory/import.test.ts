import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal, onProd } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const csv = (...rows: string[]) => ['petId,quantity,status', ...rows].join('\n');
const fromPipe = (input: string, ...options: string[]) =>
  stage.local(['import', '-', ...options], { input });

test('import creates the entries of a file', async () => {
  await stage.put('1,7,sold');
  expect(await fromPipe(csv('1,7,sold', '2,8,pending'))).toStrictEqual({
    code: 0,
    output: '2 read: 1 created, 0 replaced, 0 skipped, 1 unchanged.\n',
    errors: `${onLocal}Looked up 2 of 2\nWrote 1 of 1\n`,
  });
  expect(await stage.entries()).toStrictEqual(['1,7,sold', '2,8,pending']);
});

const differing = csv('1,9,sold', '2,8,pending', '3,3,sold');
const before = ['1,7,sold', '2,8,available', '4,4,sold'];

test.each([
  {
    action: 'fail',
    code: 1,
    output: '',
    errors:
      `${onLocal}Looked up 3 of 3\n` +
      'petstore: petId 1 is in the table with 7, sold.\n' +
      'petId 2 is in the table with 8, available.\n' +
      'Nothing was written. --on-conflict skip leaves these entries as they are, ' +
      '--on-conflict replace sets them to what the file says.\n',
    after: before,
  },
  {
    action: 'skip',
    code: 0,
    output: '3 read: 1 created, 0 replaced, 2 skipped, 0 unchanged.\n',
    errors: `${onLocal}Looked up 3 of 3\nWrote 1 of 1\n`,
    after: ['1,7,sold', '2,8,available', '3,3,sold', '4,4,sold'],
  },
  {
    action: 'replace',
    code: 0,
    output: '3 read: 1 created, 2 replaced, 0 skipped, 0 unchanged.\n',
    errors: `${onLocal}Looked up 3 of 3\nWrote 3 of 3\n`,
    after: ['1,9,sold', '2,8,pending', '3,3,sold', '4,4,sold'],
  },
])(
  '--on-conflict $action does so with entries of other values',
  async ({ action, after, ...result }) => {
    await stage.put(...before);
    expect(await fromPipe(differing, '--on-conflict', action)).toStrictEqual(result);
    expect(await stage.entries()).toStrictEqual(after);
  },
);

test('--dry-run says what would be done, and writes nothing', async () => {
  await stage.put(...before);
  expect(await fromPipe(differing, '--on-conflict', 'replace', '--dry-run')).toStrictEqual({
    code: 0,
    output:
      '3 read: 1 created, 2 replaced, 0 skipped, 0 unchanged. ' +
      'This was a dry run: nothing was written.\n',
    errors: `${onLocal}Looked up 3 of 3\n`,
  });
  expect(await stage.entries()).toStrictEqual(before);
});

test('--json prints the counts', async () => {
  const { output } = await fromPipe(csv('1,7,sold'), '--json');
  expect(output).toBe('{"read":1,"created":1,"replaced":0,"skipped":0,"unchanged":0}\n');
});

test('everything that is wrong with a file is named before a stage is looked for', async () => {
  expect(await fromPipe(csv('1,-1,sold', '1,1,lost'))).toStrictEqual({
    code: 1,
    output: '',
    errors:
      'petstore: Line 2: quantity must be an integer from 0 to 9007199254740991, not -1.\n' +
      'Line 3: status must be available, pending or sold, not lost.\n' +
      'Nothing was written.\n',
  });
});

test('a file that does not exist is an error', async () => {
  expect(await stage.local(['import', '/none.csv'])).toStrictEqual({
    code: 1,
    output: '',
    errors: "petstore: ENOENT: no such file or directory, open '/none.csv'\n",
  });
});

test('an entry that somebody changes meanwhile is left so, and named', async () => {
  await stage.put('1,7,sold');
  stage.react = async ({ operation, forward }) => {
    if (operation === 'UpdateItem') {
      await stage.put('1,5,sold');
    }
    return forward();
  };
  expect(await fromPipe(csv('1,9,sold'), '--on-conflict', 'replace')).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}Looked up 1 of 1\nWrote 1 of 1\n` +
      'petId 1 was changed by somebody else just now, and was left so.\n' +
      'petstore: The other entries were written. Run the same command again to see.\n',
  });
  expect(await stage.entries()).toStrictEqual(['1,5,sold']);
});

// It is told that somebody else has changed the entry.
test.failing('an entry is created and counted once when the response to its write is lost', async () => {
  let writes = 0;
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    writes += operation === 'UpdateItem' ? 1 : 0;
    return operation === 'UpdateItem' && writes === 1 ? undefined : response;
  };
  expect(await fromPipe(csv('1,7,sold'))).toStrictEqual({
    code: 0,
    output: '1 read: 1 created, 0 replaced, 0 skipped, 0 unchanged.\n',
    errors: `${onLocal}Looked up 1 of 1\nWrote 1 of 1\n`,
  });
});

test('more entries than one request can look up are all looked up, consistently', async () => {
  const rows = Array.from({ length: 101 }, (_row, petId) => `${petId},1,sold`);
  const lookUps: unknown[] = [];
  stage.react = ({ operation, body, forward }) => {
    if (operation === 'BatchGetItem') {
      const { Keys, ConsistentRead } = body.RequestItems[stage.tables.inventory];
      lookUps.push([Keys.length, ConsistentRead]);
    }
    return forward();
  };
  await stage.put('100,1,sold');
  expect((await fromPipe(csv(...rows))).output).toBe(
    '101 read: 100 created, 0 replaced, 0 skipped, 1 unchanged.\n',
  );
  expect(lookUps.sort()).toStrictEqual([
    [1, true],
    [100, true],
  ]);
});

test('keys that DynamoDB leaves unprocessed are requested again', async () => {
  await stage.put('1,7,sold');
  let isFirst = true;
  stage.react = async ({ operation, body, forward }) => {
    if (operation === 'BatchGetItem' && isFirst) {
      isFirst = false;
      return { status: 200, body: { Responses: {}, UnprocessedKeys: body.RequestItems } };
    }
    return forward();
  };
  expect((await fromPipe(csv('1,7,sold'))).output).toBe(
    '1 read: 0 created, 0 replaced, 0 skipped, 1 unchanged.\n',
  );
});

test('on prod, import asks how many entries it may write', async () => {
  await stage.put('1,7,sold');
  const words = ['import', '-', '--on-conflict', 'replace'];
  expect(await stage.prod(words, { input: differing })).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onProd}Looked up 3 of 3\n` +
      'petstore: Create 2 and replace 1 entries in prod? ' +
      'There is no terminal to ask on: confirm with --yes.\n',
  });
  expect(await stage.entries()).toStrictEqual(['1,7,sold']);
});
