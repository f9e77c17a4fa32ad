import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryDirectory } from '../../support/local/local-run.ts';
import { ops } from '../../support/ops/ops.ts';
import {
  fileWith,
  header,
  importText,
  inventory,
  tablesOfStage,
} from '../../support/ops/ops-stage.ts';

const rows = [
  '-9223372036854775808,1,pending',
  '2,3,pending',
  '9007199254740993,5,available',
  '9223372036854775807,9007199254740991,sold',
];
const csv = `${header}${rows.join('\n')}\n`;
const objects = rows.map((row) => {
  const [petId, quantity, status] = row.split(',');
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;
});
const json = `[\n${objects.join(',\n')}\n]\n`;
const ndjson = `${objects.join('\n')}\n`;

const stage = tablesOfStage();

/** A path in a directory that the tests may write. */
const newPath = (ending: string) => join(temporaryDirectory, `${crypto.randomUUID()}${ending}`);

test.each([
  { options: [], ending: '.csv', text: csv },
  { options: [], ending: '.json', text: json },
  { options: [], ending: '.ndjson', text: ndjson },
  { options: [], ending: '.JSONL', text: ndjson },
  { options: [], ending: '.txt', text: csv },
  { options: [], ending: '', text: csv },
  { options: ['--format', 'csv'], ending: '.json', text: csv },
  { options: ['--json'], ending: '', text: json },
  { options: ['--json'], ending: '.csv', text: csv },
])('export $options writes a file "pets$ending" in the right format', async (row) => {
  await importText(csv);
  const out = newPath(row.ending);
  expect(await inventory('export', '--out', out, ...row.options)).toMatchObject({ code: 0 });
  expect(readFileSync(out, 'utf8')).toBe(row.text);
});

test('export --out says how much it wrote, and where', async () => {
  await importText(csv);
  const out = newPath('.csv');
  const output = `4 written to ${out}.\n`;
  expect(await inventory('export', '--out', out)).toEqual({ code: 0, output, problems: [] });
});

test('export --out --json prints a summary', async () => {
  await importText(csv);
  const out = newPath('.csv');
  const { output } = await inventory('export', '--out', out, '--json');
  expect(JSON.parse(output)).toEqual({ entries: 4, file: out });
});

test.each([
  { options: [], text: csv },
  { options: ['--out', '-'], text: csv },
  { options: ['--json'], text: json },
  { options: ['--format', 'ndjson'], text: ndjson },
])('export $options writes to standard output', async ({ options, text }) => {
  await importText(csv);
  expect(await inventory('export', ...options)).toEqual({ code: 0, output: text, problems: [] });
});

test.each([
  { format: 'csv', text: header },
  { format: 'json', text: '[\n]\n' },
  { format: 'ndjson', text: '' },
])('an export of no entries as $format is still a file', async ({ format, text }) => {
  expect((await inventory('export', '--format', format)).output).toBe(text);
});

test.each(['csv', 'json', 'ndjson'])(
  'an import reads what an export writes as %s',
  async (name) => {
    await importText(csv);
    const { output } = await inventory('export', '--format', name);
    await stage.reset();
    await importText(output);
    expect((await inventory('export')).output).toBe(csv);
  },
);

test('export --json does not print another format', async () => {
  const { code, errors } = await ops([
    'inventory',
    'export',
    '--format',
    'csv',
    '--json',
    '--local',
  ]);
  expect([code, JSON.parse(errors)]).toEqual([
    2,
    {
      error: {
        code: 'usage',
        message: 'With --json, standard output is JSON and cannot be csv.',
        hint: 'Write it to a file with --out.',
      },
    },
  ]);
});

test.each([
  { out: '/nowhere/pets.csv', problem: /^petstore: Cannot write \/nowhere\/pets\.csv: ENOENT: / },
  { out: '/dev/null', problem: /^petstore: \/dev\/null is no regular file\.$/ },
])('export --out $out fails before it reads the table', async ({ out, problem }) => {
  const operations: string[] = [];
  stage.react = async ({ operation, forward }) => {
    operations.push(operation);
    return forward();
  };
  const { problems, ...result } = await inventory('export', '--out', out);
  expect(result).toEqual({ code: 3, output: '' });
  expect(problems[0]).toMatch(problem);
  expect(operations).toEqual([]);
});

test('an export of broken entries names them, and leaves the file as it is', async () => {
  await stage.put({ petId: { N: '5' } });
  const out = fileWith('earlier');
  const { code, output, problems } = await inventory('export', '--out', out);
  expect({ code, output, problems }).toEqual({
    code: 8,
    output: '',
    problems: [
      expect.stringMatching(/^petId 5: its quantity is missing .*\.$/),
      'petstore: Entries that break the contract: 1.',
      expect.stringMatching(/^Repair each with .* inventory remove 5 --local$/),
    ],
  });
  expect(readFileSync(out, 'utf8')).toBe('earlier');
});

test('with --json, the error of an export lists broken entries', async () => {
  await stage.put({ petId: { N: '5' } });
  const { code, errors } = await ops(['inventory', 'export', '--json', '--local']);
  const [last = ''] = errors.trimEnd().split('\n').slice(-1);
  expect(errors).not.toMatch(/^petId 5/m);
  expect([code, JSON.parse(last)]).toMatchObject([8, { error: { problems: [{ petId: '5' }] } }]);
});
