import { expect, test } from '@jest/globals';
import {
  csvOf,
  header,
  importText,
  inventory,
  tablesOfStage,
} from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

/** Has the stage record its reads: how many entries each asked for, and how many it read. */
const recordReads = () => {
  const reads: { limit: number; read: number; consistent: boolean }[] = [];
  stage.react = async ({ body, forward }) => {
    const response = await forward();
    const { Limit: limit, ConsistentRead: consistent } = body;
    reads.push({ limit, read: response.body.ScannedCount, consistent });
    return response;
  };
  return reads;
};

const ofStatus = (status: string, count: number, first: number): string =>
  Array.from({ length: count }, (_row, i) => `${first + i},1,${status}\n`).join('');

const petIdsIn = (output: string): string[] => output.match(/^\d+/gm) ?? [];

test('a list is a table, ordered by petId, with every digit', async () => {
  const rows = [
    '9223372036854775807,9007199254740991,sold',
    '-9223372036854775808,0,available',
    '9007199254740993,5,pending',
    '9007199254740992,17,sold',
  ];
  await importText(`${header}${rows.join('\n')}\n`);
  const output = `
PETID                 QUANTITY          STATUS
-9223372036854775808  0                 available
9007199254740992      17                sold
9007199254740993      5                 pending
9223372036854775807   9007199254740991  sold
`.slice(1);
  expect(await inventory('list')).toEqual({ code: 0, output, problems: [] });
});

test('a list of an empty table has no rows', async () => {
  const output = 'PETID  QUANTITY  STATUS\n';
  expect(await inventory('list')).toEqual({ code: 0, output, problems: [] });
});

test('a list shows what is in a broken entry', async () => {
  const [long, sold] = [{ S: 'gone\u001b[2J'.repeat(10) }, { S: 'sold' }];
  await stage.put({ petId: { N: '1' }, quantity: { N: '-1.5' }, status: long });
  await stage.put({ petId: { N: '2' }, quantity: { BOOL: true } });
  await stage.put({ petId: { N: '1.5' }, quantity: { S: '7' }, status: sold });
  const { output } = await inventory('list');
  expect(output.split('\n')).toEqual([
    'PETID  QUANTITY  STATUS',
    '1      -1.5      "gone\\u001b[2Jgone\\u001b[2Jgone\\u001b[2Jgone\\u001b[2Jgone\\u001b[2J…"',
    '1.5    "7"       sold',
    '2      ?         -',
    '',
  ]);
});

const more = [
  'There are more entries. Show more with --limit, or all of them: ' +
    'npx --no -- petstore inventory export --local',
];

test.each([
  { options: [], stored: 50, shown: 50, problems: [] },
  { options: [], stored: 51, shown: 50, problems: more },
  { options: ['--limit', '1'], stored: 1, shown: 1, problems: [] },
  { options: ['--limit', '1'], stored: 2, shown: 1, problems: more },
  { options: ['--limit', '60'], stored: 55, shown: 55, problems: [] },
])('list $options of $stored entries shows $shown, and whether there are more', async (row) => {
  await importText(csvOf(row.stored));
  const { output, ...result } = await inventory('list', ...row.options);
  expect(petIdsIn(output).length).toBe(row.shown);
  expect(result).toEqual({ code: 0, problems: row.problems });
});

test('a list reads only one entry more than it shows', async () => {
  await importText(csvOf(100));
  const reads = recordReads();
  await inventory('list', '--limit', '20');
  expect(reads).toEqual([{ limit: 21, read: 21, consistent: true }]);
});

test('a list reads on when a page of DynamoDB holds less than it asked for', async () => {
  await importText(csvOf(10));
  const limits: number[] = [];
  stage.react = async ({ body, forward }) => {
    limits.push(body.Limit);
    body.Limit = Math.min(body.Limit, 3);
    return forward();
  };
  const { output } = await inventory('list', '--limit', '7');
  expect(petIdsIn(output).length).toBe(7);
  expect(limits).toEqual([8, 8, 8]);
});

test('list --json is one value, with every digit', async () => {
  await importText(csvOf(1));
  const output =
    '{"entries":[{"petId":9007199254740993,"quantity":1,"status":"sold"}],"hasMore":false}\n';
  expect(await inventory('list', '--json')).toEqual({ code: 0, output, problems: [] });
});

test('list --json says that there is more', async () => {
  await importText(csvOf(3));
  const { entries, hasMore } = JSON.parse(
    (await inventory('list', '--limit', '2', '--json')).output,
  );
  expect([entries.length, hasMore]).toEqual([2, true]);
});

test.each(['available', 'pending', 'sold'])(
  'list --status %s shows no other entries',
  async (status) => {
    const rows = ['1,1,available\n', '2,2,pending\n', '3,3,sold\n'];
    await importText(header + rows.join(''));
    const { output, problems } = await inventory('list', '--status', status);
    expect(output.trimEnd().split('\n').slice(1)).toEqual([expect.stringContaining(status)]);
    expect(problems).toEqual([]);
  },
);

test.each([
  { stored: 2, problems: [] },
  { stored: 3, problems: more },
])('list --status finds the first two of $stored entries among others', async (row) => {
  await importText(header + ofStatus('sold', 60, 100) + ofStatus('pending', row.stored, 1));
  const { output, problems } = await inventory('list', '--status', 'pending', '--limit', '2');
  expect(petIdsIn(output).length).toBe(2);
  expect(problems).toEqual(row.problems);
});

test('list --status reads no page that it does not need', async () => {
  await importText(header + ofStatus('sold', 100, 100));
  const reads: string[] = [];
  stage.react = async ({ operation, body, forward }) => {
    reads.push(operation);
    body.Limit = 20;
    return forward();
  };
  await inventory('list', '--status', 'sold', '--limit', '19');
  expect(reads).toEqual(['Scan']);
  await inventory('list', '--status', 'sold', '--limit', '20');
  expect(reads).toEqual(['Scan', 'Scan', 'Scan']);
});

test.each(['0', '10001'])('list --limit %s is rejected', async (limit) => {
  const { code, output, problems } = await inventory('list', '--limit', limit);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(problems[0]).toContain('It must be a number from 1 to 10000.');
});
