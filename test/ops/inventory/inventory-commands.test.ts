import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import { ops } from '../../support/ops.ts';
import { exported, fileWith, importText, inventory, tablesOfStage } from '../../support/ops-stage.ts';

const csv = `petId,quantity,status
-9223372036854775808,1,pending
42,9007199254740991,available
9007199254740993,5,available
`;
const [quantity, status] = [{ N: '1' }, { S: 'sold' }];

const stage = tablesOfStage();
beforeEach(() => importText(csv));

test.each([
  ['42', '{"petId":42,"quantity":9007199254740991,"status":"available"}\n'],
  ['-9223372036854775808', '{"petId":-9223372036854775808,"quantity":1,"status":"pending"}\n'],
])('get prints entry %s, every digit exact, and remove --yes removes it alone', async (petId, output) => {
  expect(await inventory('get', petId)).toEqual({ code: 0, output, problems: [] });
  const removed = { code: 0, output: `{"removed":${output.trimEnd()}}\n`, problems: [] };
  expect(await inventory('remove', petId, '--yes', '--json')).toEqual(removed);
  expect(await exported()).toBe(csv.replace(new RegExp(`^${petId},.*\n`, 'm'), ''));
});

test('set-status sets the status and nothing else', async () => {
  await stage.put({ petId: { N: '42' }, quantity, status: { S: 'gone' }, note: { S: 'x' } });
  const output = '{"petId":42,"quantity":1,"status":"sold"}\n';
  expect(await inventory('set-status', '42', 'sold')).toEqual({ code: 0, output, problems: [] });
  expect(await stage.items()).toContainEqual({ petId: { N: '42' }, quantity, status, note: { S: 'x' } });
  expect(await exported()).toBe(csv.replace('42,9007199254740991,available', '42,1,sold'));
});

test.each([
  [['get', '7'], 5, /^petstore: No entry has the petId 7\.$/],
  [['set-status', '7', 'sold'], 5, /^petstore: No entry has the petId 7\.$/],
  [['remove', '7', '--yes'], 5, /^petstore: No entry has the petId 7\.$/],
  [['get', '1,5'], 2, / '1,5' is invalid .* It must be a number\.$/],
  [['remove', '1'.repeat(131)], 2, / It must be a number\.$/],
  [['set-status', '9223372036854775808', 'sold'], 2, / It must be an int64, in digits without leading zeros\.$/],
  [['import', '/nowhere/pets.csv'], 3, /^petstore: There is no file \/nowhere\/pets\.csv\.$/],
  [['import', '/'], 3, /^petstore: \/ is a directory\.$/],
  [['export', '--out', '/nowhere/pets.csv'], 3, /^petstore: ENOENT: no such file or directory, .*'\/nowhere'$/],
  [['export', '--out', '/'], 3, /^petstore: \/ is a directory\.$/],
  [['set-status', '1', 'gone'], 2, / Allowed choices are available, pending, sold\.$/],
])('%s ends with %i and changes nothing', async (options, code, problem) => {
  const { problems, ...result } = await inventory(...options);
  expect(result).toEqual({ code, output: '' });
  expect(problems[0]).toMatch(problem);
  expect(await exported()).toBe(csv);
});

test.each(['n\r', '\r', 'yess\r', '\x04'])('remove asks, and takes %j for a no', async (text) => {
  const typed = { prompt: /Remove \{"petId":42,.*\} from staging\? \[y\/N\] /, text };
  const { errors, ...result } = await ops(['inventory', 'remove', '42', '--local'], { typed });
  expect(result).toEqual({ code: 7, output: '' });
  expect(errors).toMatch(/petstore: Nothing was changed\.\n$/);
  expect(await exported()).toBe(csv);
});

test('remove leaves an entry that was changed since it was read', async () => {
  stage.react = async ({ operation, forward }) => {
    if (operation === 'DeleteItem') {
      await stage.put({ petId: { N: '42' }, quantity, status });
    }
    return forward();
  };
  const problems = ['petstore: petId 42 was changed just now, and was not removed.'];
  expect(await inventory('remove', '42', '--yes')).toEqual({ code: 4, output: '', problems });
  expect(await exported()).toBe(csv.replace('42,9007199254740991,available', '42,1,sold'));
});

test('check and export name every broken entry, and remove takes it as it is printed', async () => {
  await stage.put({ petId: { N: '5' } });
  await stage.put({ petId: { N: '-1E+120' }, quantity, status });
  const { checked, broken } = JSON.parse((await inventory('check', '--json')).output);
  const lines: string[] = broken.map(({ petId, reason }: Record<string, string>) => `petId ${petId}: ${reason}.`);
  expect([checked, lines.toSorted()]).toEqual([
    5,
    [
      expect.stringMatching(/^petId -1\S+: its petId is -1/),
      expect.stringMatching(/^petId 5: its quantity is missing .*; its status is missing /),
    ],
  ]);
  const problems = [
    'petstore: Entries that break the contract: 2.',
    'Repair it with import --on-conflict replace, set-status or a PATCH of its quantity, ' +
      `or remove it: npx petstore inventory remove ${broken[0].petId} --local`,
  ];
  expect(await inventory('check')).toEqual({ code: 3, output: `${lines.join('\n')}\n5 checked.\n`, problems });
  const out = fileWith('earlier');
  expect(await inventory('export', '--out', out)).toEqual({ code: 3, output: '', problems: [...lines, ...problems] });
  expect(readFileSync(out, 'utf8')).toBe('earlier');
  for (const { petId } of broken) {
    expect(await inventory('remove', petId, '--yes')).toMatchObject({ code: 0 });
  }
  expect(await inventory('check')).toEqual({ code: 0, output: '3 checked.\n', problems: [] });
});
