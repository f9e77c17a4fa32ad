import { expect, test } from '@jest/globals';
import { inventory, tablesOfStage } from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

const put = (petId: string, quantity: string, status: string) =>
  stage.put({ petId: { N: petId }, quantity: { N: quantity }, status: { S: status } });

/** Puts this many entries of a status into the table. */
const putMany = (count: number, status = 'sold', firstPetId = 1) =>
  Promise.all(
    Array.from({ length: count }, (_entry, i) => put(String(firstPetId + i), '1', status)),
  );

const rowsIn = (output: string): string[] => output.match(/^\d.*/gm) ?? [];

test('list is a table, ordered by petId, with every digit', async () => {
  await put('9223372036854775807', '9007199254740991', 'sold');
  await put('9223372036854775806', '6', 'sold');
  await put('9223372036854775805', '5', 'sold');
  await put('9223372036854775804', '4', 'sold');
  await put('-9223372036854775808', '0', 'available');
  await put('9007199254740993', '5', 'pending');
  await put('9007199254740992', '17', 'sold');
  const output = `
PETID                 QUANTITY          STATUS
-9223372036854775808  0                 available
9007199254740992      17                sold
9007199254740993      5                 pending
9223372036854775804   4                 sold
9223372036854775805   5                 sold
9223372036854775806   6                 sold
9223372036854775807   9007199254740991  sold
`.slice(1);
  expect(await inventory('list')).toEqual({ code: 0, output, problems: [] });
});

test('list has no rows for an empty table', async () => {
  const output = 'PETID  QUANTITY  STATUS\n';
  expect(await inventory('list')).toEqual({ code: 0, output, problems: [] });
});

test('list shows what is in a broken entry', async () => {
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
  { options: ['--limit', '1'], stored: 2, shown: 1, problems: more },
])('list $options of $stored entries shows $shown, and whether there are more', async (row) => {
  await putMany(row.stored);
  const { output, ...result } = await inventory('list', ...row.options);
  expect(rowsIn(output)).toHaveLength(row.shown);
  expect(result).toEqual({ code: 0, problems: row.problems });
});

test('list --limit 0 is rejected', async () => {
  const { problems, ...result } = await inventory('list', '--limit', '0');
  expect(result).toEqual({ code: 2, output: '' });
  expect(problems[0]).toContain('It must be a number from 1 to 10000.');
});

test('list reads what was written last, and only one entry more than it shows', async () => {
  await putMany(10);
  const reads: unknown[] = [];
  stage.react = async ({ body: { Limit, ConsistentRead }, forward }) => {
    const response = await forward();
    reads.push({ Limit, ConsistentRead, read: response.body.ScannedCount });
    return response;
  };
  await inventory('list', '--limit', '5');
  expect(reads).toEqual([{ Limit: 6, ConsistentRead: true, read: 6 }]);
});

test('list reads on when a page of DynamoDB holds less than it asked for', async () => {
  await putMany(10);
  const limits: number[] = [];
  stage.react = async ({ body, forward }) => {
    limits.push(body.Limit);
    body.Limit = Math.min(body.Limit, 3);
    return forward();
  };
  const { output } = await inventory('list', '--limit', '7');
  expect(rowsIn(output)).toHaveLength(7);
  expect(limits).toEqual([8, 8, 8]);
});

test('list --json is one value, with every digit', async () => {
  await put('9007199254740993', '1', 'sold');
  const output =
    '{"entries":[{"petId":9007199254740993,"quantity":1,"status":"sold"}],"hasMore":false}\n';
  expect(await inventory('list', '--json')).toEqual({ code: 0, output, problems: [] });
});

test('list --json says that there is more', async () => {
  await putMany(3);
  const { output } = await inventory('list', '--limit', '2', '--json');
  const { entries, hasMore } = JSON.parse(output);
  expect([entries.length, hasMore]).toEqual([2, true]);
});

test.each([
  { stored: 2, problems: [] },
  { stored: 3, problems: more },
])('list --status finds the first two of $stored entries among others', async (row) => {
  await putMany(60, 'sold');
  await putMany(row.stored, 'pending', 100);
  const { output, problems } = await inventory('list', '--status', 'pending', '--limit', '2');
  const pending = expect.stringMatching(/ pending$/);
  expect(rowsIn(output)).toEqual([pending, pending]);
  expect(problems).toEqual(row.problems);
});

test('list --status reads no page that it does not need', async () => {
  await putMany(10, 'sold');
  const reads: string[] = [];
  stage.react = async ({ operation, body, forward }) => {
    reads.push(operation);
    body.Limit = 4;
    return forward();
  };
  await inventory('list', '--status', 'sold', '--limit', '3');
  expect(reads).toEqual(['Scan']);
  await inventory('list', '--status', 'sold', '--limit', '4');
  expect(reads).toEqual(['Scan', 'Scan', 'Scan']);
});

/** An entry without quantity and status, and one whose petId is no int64. */
const putBroken = async () => {
  await stage.put({ petId: { N: '5' } });
  await put('-1E+120', '1', 'sold');
};
const reasons = [
  expect.stringMatching(/^petId -1\S+: its petId is -1/),
  expect.stringMatching(/^petId 5: its quantity is missing .*; its status is missing /),
];
const hint = (petId: string): string =>
  'Repair each with import --on-conflict replace, set, set-status or a PATCH of its quantity, ' +
  `or remove it: npx --no -- petstore inventory remove ${petId} --local`;

const brokenInJson = async (): Promise<{ petId: string; reason: string }[]> =>
  JSON.parse((await inventory('check', '--json')).output).broken;

test('check counts the entries of a table without broken ones', async () => {
  await putMany(3);
  expect(await inventory('check')).toEqual({ code: 0, output: '3 checked.\n', problems: [] });
});

test('check names every broken entry, and how to repair it', async () => {
  await putMany(3);
  await putBroken();
  const { code, output, problems } = await inventory('check');
  const lines = output.trimEnd().split('\n');
  expect([lines.slice(0, -1).toSorted(), lines.at(-1)]).toEqual([reasons, '5 checked.']);
  const [first] = await brokenInJson();
  expect({ code, problems }).toEqual({
    code: 8,
    problems: ['petstore: Entries that break the contract: 2.', hint(first?.petId ?? '')],
  });
});

test('check --json lists every broken entry', async () => {
  await putBroken();
  const { code, output } = await inventory('check', '--json');
  const { checked, broken } = JSON.parse(output);
  const lines = broken.map(
    ({ petId, reason }: Record<string, string>) => `petId ${petId}: ${reason}`,
  );
  expect([code, checked, lines.toSorted()]).toEqual([8, 2, reasons]);
});

test('check prints petIds that remove takes', async () => {
  await putBroken();
  for (const { petId } of await brokenInJson()) {
    expect(await inventory('remove', petId, '--yes')).toMatchObject({ code: 0 });
  }
  expect(await stage.items()).toEqual([]);
});

test('check prints an exponent with a small e', async () => {
  // As an option, a command would read a negative number with a capital E.
  const Items = [{ petId: { N: '-1E+120' } }];
  stage.react = async () => ({ status: 200, body: { Items, Count: 1, ScannedCount: 1 } });
  const { output, problems } = await inventory('check');
  expect(output).toMatch(/^petId -1e\+120: /);
  expect(problems).toContain(hint('-1e+120'));
});

test('check reads every page of a table, as it was written last', async () => {
  await putMany(10);
  const reads: unknown[] = [];
  stage.react = async ({ operation, body, forward }) => {
    reads.push([operation, body.ConsistentRead]);
    body.Limit = 4;
    return forward();
  };
  expect(await inventory('check')).toMatchObject({ code: 0, output: '10 checked.\n' });
  expect(reads).toEqual([
    ['Scan', true],
    ['Scan', true],
    ['Scan', true],
  ]);
});
