import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { temporaryDirectory } from '../../support/local/local-run.ts';
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

const csv = `petId,quantity,status
-9223372036854775808,1,pending
2,3,pending
42,9007199254740991,available
9007199254740993,5,available
9223372036854775807,0,sold
`;
const objects = [...csv.matchAll(/^(.*\d),(.*),(.*)$/gm)].map(
  ([, petId, quantity, status]) => `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
);
const [quantity, status] = [{ N: '1' }, { S: 'sold' }];

const stage = tablesOfStage();
beforeEach(() => importText(csv));

test.each(objects)(
  'get prints %s with every digit, and remove --yes removes no other entry',
  async (entry) => {
    const [petId = ''] = entry.match(/-?\d+/) ?? [];
    expect(await inventory('get', petId)).toEqual({ code: 0, output: `${entry}\n`, problems: [] });
    const removed = { code: 0, output: `{"removed":${entry}}\n`, problems: [] };
    expect(await inventory('remove', petId, '--yes', '--json')).toEqual(removed);
    expect(await exported()).toBe(csv.replace(new RegExp(`^${petId},.*\n`, 'm'), ''));
  },
);

test('set-status sets the status and nothing else', async () => {
  await stage.put({ petId: { N: '42' }, quantity, status: { S: 'gone' }, note: { S: 'x' } });
  const output = '{"petId":42,"quantity":1,"status":"sold"}\n';
  expect(await inventory('set-status', '42', 'sold')).toEqual({ code: 0, output, problems: [] });
  expect(await stage.items()).toContainEqual({
    petId: { N: '42' },
    quantity,
    status,
    note: { S: 'x' },
  });
  expect(await exported()).toBe(csv.replace('42,9007199254740991,available', '42,1,sold'));
});

test.each([
  [['get', '7'], 5, /^petstore: No entry has the petId 7\.$/],
  [['set-status', '7', 'sold'], 5, /^petstore: No entry has the petId 7\.$/],
  [['remove', '7', '--yes'], 5, /^petstore: No entry has the petId 7\.$/],
  [['get', '1,5'], 2, / '1,5' is invalid .* It must be a number\.$/],
  [['remove', '1'.repeat(131)], 2, / It must be a number\.$/],
  [
    ['set-status', '9223372036854775808', 'sold'],
    2,
    / It must be an int64, in digits without leading zeros\.$/,
  ],
  [['import', '/nowhere/pets.csv'], 3, /^petstore: There is no file \/nowhere\/pets\.csv\.$/],
  [['get', '1e999'], 3, /^petstore: DynamoDB cannot store this number: Number overflow\. /],
  [['import', 'x'.repeat(300)], 3, /^petstore: ENAMETOOLONG: /],
  [['import', '/'], 3, /^petstore: \/ is a directory\.$/],
  [
    ['export', '--out', '/nowhere/pets.csv'],
    3,
    /^petstore: ENOENT: no such file or directory, .*'\/nowhere'$/,
  ],
  [
    ['export', '--format', 'csv', '--json'],
    2,
    /"code":"usage",.* standard output is JSON and cannot be csv\./,
  ],
  [['export', '--out', '/'], 3, /^petstore: \/ is a directory\.$/],
  [['set-status', '1', 'gone'], 2, / Allowed choices are available, pending, sold\.$/],
])('%s exits with %i and changes nothing', async (options, code, problem) => {
  const { problems, ...result } = await inventory(...options);
  expect(result).toEqual({ code, output: '' });
  expect(problems[0]).toMatch(problem);
  expect(await exported()).toBe(csv);
});

test.each(['n\r', '\r', 'yess\r', '\x04'])(
  'remove asks for confirmation, and takes %j as a no',
  async (text) => {
    const typed = { prompt: /Remove \{"petId":42,.*\} from the local run\? \[y\/N\] /, text };
    const errors = expect.stringMatching(/\[y\/N\] .*\npetstore: Nothing was changed\.\n$/s);
    expect(await ops(['inventory', 'remove', '42', '--local'], { typed })).toEqual({
      code: 7,
      output: '',
      errors,
    });
    expect(await exported()).toBe(csv);
  },
);

test('remove keeps an entry that has changed since it was read', async () => {
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

test('remove succeeds although the response to its first try is lost', async () => {
  const statuses: number[] = [];
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    return operation === 'DeleteItem' && statuses.push(response.status) === 1
      ? undefined
      : response;
  };
  expect(await inventory('remove', '42', '--yes')).toMatchObject({ code: 0, problems: [] });
  expect(statuses).toEqual([200, 400]);
});

test('check and export name every broken entry, and remove accepts the petIds that they print', async () => {
  await stage.put({ petId: { N: '5' } });
  await stage.put({ petId: { N: '-1E+120' }, quantity, status });
  const { checked, broken } = JSON.parse((await inventory('check', '--json')).output);
  const lines: string[] = broken.map(
    ({ petId, reason }: Record<string, string>) => `petId ${petId}: ${reason}.`,
  );
  expect([checked, lines.toSorted()]).toEqual([
    7,
    [
      expect.stringMatching(/^petId -1\S+: its petId is -1/),
      expect.stringMatching(/^petId 5: its quantity is missing .*; its status is missing /),
    ],
  ]);
  const problems = [
    'petstore: Entries that break the contract: 2.',
    'Repair each with import --on-conflict replace, set-status or a PATCH of its quantity, ' +
      `or remove it: npx --no -- petstore inventory remove ${broken[0].petId} --local`,
  ];
  expect(await inventory('check')).toEqual({
    code: 8,
    output: `${lines.join('\n')}\n7 checked.\n`,
    problems,
  });
  const out = fileWith('earlier');
  expect(await inventory('export', '--out', out)).toEqual({
    code: 8,
    output: '',
    problems: [...lines, ...problems],
  });
  expect(readFileSync(out, 'utf8')).toBe('earlier');
  for (const { petId } of broken) {
    expect(await inventory('remove', petId, '--yes')).toMatchObject({ code: 0 });
  }
  expect(await inventory('check')).toEqual({ code: 0, output: '5 checked.\n', problems: [] });
});

test.each([
  ['csv', csv, header],
  ['json', `[\n${objects.join(',\n')}\n]\n`, '[\n]\n'],
  ['ndjson', `${objects.join('\n')}\n`, ''],
])(
  'an export in %s is sorted by petId, and importing it keeps every digit',
  async (format, text, empty) => {
    expect(await inventory('export', '--format', format)).toEqual({
      code: 0,
      output: text,
      problems: [],
    });
    const out = fileWith('');
    const toFile = await inventory('export', '--format', format, '--out', out);
    expect(toFile).toEqual({ code: 0, output: `5 written to ${out}.\n`, problems: [] });

    expect(await inventory('import', out)).toEqual({
      code: 0,
      output: '5 read: 5 unchanged.\n',
      problems: [],
    });
    await stage.reset();
    expect(await inventory('export', '--format', format)).toEqual({
      code: 0,
      output: empty,
      problems: [],
    });
    const again = await importText(text, '--format', format);
    expect(again).toEqual({ code: 0, output: '5 read: 5 created.\n', problems: [] });
    expect(await exported()).toBe(csv);
  },
);

test('export --json prints nothing but JSON: the entries or, if they go to a file, a summary', async () => {
  expect(await inventory('export', '--json')).toMatchObject({
    code: 0,
    output: `[\n${objects.join(',\n')}\n]\n`,
  });
  expect(await inventory('export', '--out', '-')).toEqual({ code: 0, output: csv, problems: [] });
  const out = fileWith('');
  const { output } = await inventory('export', '--format', 'csv', '--out', out, '--json');
  expect(JSON.parse(output)).toEqual({ entries: 5, file: out });
  expect(readFileSync(out, 'utf8')).toBe(csv);
});

test('export replaces the file that a link names, keeps its mode, follows no planted link and leaves no temporary file', async () => {
  const [out, victim] = [fileWith('earlier'), fileWith('precious')];
  chmodSync(out, 0o662);
  symlinkSync(out, `${out}.link`);
  symlinkSync(`${victim}.new`, `${victim}.link`);
  symlinkSync(victim, `${out}.unfinished`);
  expect(await inventory('export', '--out', `${out}.link`)).toMatchObject({ code: 0 });
  expect(await inventory('export', '--out', `${victim}.link`)).toMatchObject({ code: 0 });
  expect([out, victim, `${victim}.new`].map((file) => readFileSync(file, 'utf8'))).toEqual([
    csv,
    'precious',
    csv,
  ]);
  expect(statSync(out).mode & 0o777).toBe(0o662);
  const beside = readdirSync(temporaryDirectory).filter((name) =>
    name.startsWith(`${basename(out)}.`),
  );
  expect(beside.toSorted()).toEqual([`${basename(out)}.link`, `${basename(out)}.unfinished`]);
});

test('an export of more than a thousand entries is complete and has one header', async () => {
  await stage.reset();
  await importText(csvOf(1_001));
  expect(await inventory('export')).toEqual({ code: 0, output: csvOf(1_001), problems: [] });
});
