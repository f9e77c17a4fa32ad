import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { outputFile, replaceFile } from '../../../ops/inventory/output-file.ts';
import { temporaryDirectory } from '../../support/local/local-run.ts';
import { ops } from '../../support/ops/ops.ts';
import { header, importText, inventory, tablesOfStage } from '../../support/ops/ops-stage.ts';

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

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(temporaryDirectory, 'export-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const pathOf = (name: string): string => join(directory, name);
const contentOf = (name: string): string => readFileSync(pathOf(name), 'utf8');

test.each([
  { options: [], ending: '.csv', text: csv },
  { options: [], ending: '.json', text: json },
  { options: [], ending: '.ndjson', text: ndjson },
  { options: [], ending: '.JSONL', text: ndjson },
  { options: [], ending: '.txt', text: csv },
  { options: ['--format', 'csv'], ending: '.json', text: csv },
  { options: ['--json'], ending: '', text: json },
  { options: ['--json'], ending: '.csv', text: csv },
])('export $options writes a file "pets$ending" in the right format', async (row) => {
  await importText(csv);
  const out = `pets${row.ending}`;
  const result = await inventory('export', '--out', pathOf(out), ...row.options);
  expect(result).toMatchObject({ code: 0 });
  expect(contentOf(out)).toBe(row.text);
});

test('export --out says how much it wrote, and where', async () => {
  await importText(csv);
  const out = pathOf('pets.csv');
  const output = `4 written to ${out}.\n`;
  expect(await inventory('export', '--out', out)).toEqual({ code: 0, output, problems: [] });
});

test('export --out --json prints a summary', async () => {
  await importText(csv);
  const out = pathOf('pets.csv');
  const { output } = await inventory('export', '--out', out, '--json');
  expect(JSON.parse(output)).toEqual({ entries: 4, file: out });
});

test.each([
  { options: [], text: csv },
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

test.each(['json', 'ndjson'])('an import reads what an export writes as %s', async (name) => {
  await importText(csv);
  const { output } = await inventory('export', '--format', name);
  await stage.reset();
  await importText(output);
  expect((await inventory('export')).output).toBe(csv);
});

test('export --json does not print another format', async () => {
  const words = ['inventory', 'export', '--format', 'csv', '--json', '--local'];
  const { code, errors } = await ops(words);
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

test('export --out fails before it reads the table if the file cannot be written', async () => {
  const operations: string[] = [];
  stage.react = async ({ operation, forward }) => {
    operations.push(operation);
    return forward();
  };
  const { problems, ...result } = await inventory('export', '--out', '/nowhere/pets.csv');
  expect(result).toEqual({ code: 3, output: '' });
  expect(problems[0]).toMatch(/^petstore: Cannot write \/nowhere\/pets\.csv: ENOENT: /);
  expect(operations).toEqual([]);
});

test('an export of broken entries names them, and leaves the file as it is', async () => {
  await stage.put({ petId: { N: '5' } });
  writeFileSync(pathOf('pets.csv'), 'earlier');
  const { code, output, problems } = await inventory('export', '--out', pathOf('pets.csv'));
  expect({ code, output, problems }).toEqual({
    code: 8,
    output: '',
    problems: [
      expect.stringMatching(/^petId 5: its quantity is missing .*\.$/),
      'petstore: Entries that break the contract: 1.',
      expect.stringMatching(/^Repair each with .* inventory remove 5 --local$/),
    ],
  });
  expect(contentOf('pets.csv')).toBe('earlier');
});

test('with --json, the error of an export lists broken entries', async () => {
  await stage.put({ petId: { N: '5' } });
  const { code, errors } = await ops(['inventory', 'export', '--json', '--local']);
  const [last = ''] = errors.trimEnd().split('\n').slice(-1);
  expect(errors).not.toMatch(/^petId 5/m);
  expect([code, JSON.parse(last)]).toMatchObject([8, { error: { problems: [{ petId: '5' }] } }]);
});

const { signal } = new AbortController();

const write = (name: string) => replaceFile(outputFile(pathOf(name)), 'new text', signal);

test('a new file is created, with nothing beside it', async () => {
  await write('out');
  expect(contentOf('out')).toBe('new text');
  expect(readdirSync(directory)).toEqual(['out']);
});

test.each([0o600, 0o666])('a file is replaced, and keeps its permissions %i', async (mode) => {
  writeFileSync(pathOf('out'), 'an earlier, longer text');
  chmodSync(pathOf('out'), mode);
  await write('out');
  expect(contentOf('out')).toBe('new text');
  expect(statSync(pathOf('out')).mode & 0o777).toBe(mode);
  expect(readdirSync(directory)).toEqual(['out']);
});

test('a link stays, and the file that it leads to is replaced', async () => {
  mkdirSync(pathOf('elsewhere'));
  writeFileSync(pathOf('elsewhere/target'), 'earlier');
  symlinkSync('elsewhere/target', pathOf('out'));
  await write('out');
  expect(readlinkSync(pathOf('out'))).toBe('elsewhere/target');
  expect(contentOf('elsewhere/target')).toBe('new text');
  expect(readdirSync(pathOf('elsewhere'))).toEqual(['target']);
});

test('an interrupted write leaves the file as it was', async () => {
  writeFileSync(pathOf('out'), 'earlier');
  const writing = replaceFile(outputFile(pathOf('out')), 'new text', AbortSignal.abort());
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
  expect(contentOf('out')).toBe('earlier');
  expect(readdirSync(directory)).toEqual(['out']);
});

test('a text that cannot take its place leaves nothing beside it', async () => {
  const file = outputFile(pathOf('out'));
  mkdirSync(pathOf('out'));
  await expect(replaceFile(file, 'new text', signal)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(`Cannot write ${file.path}: EISDIR: `),
  });
  expect(readdirSync(directory)).toEqual(['out']);
});

test('nothing is created or changed before the text is there', () => {
  writeFileSync(pathOf('old'), 'earlier');
  outputFile(pathOf('new'));
  outputFile(pathOf('old'));
  expect(readdirSync(directory)).toEqual(['old']);
  expect(contentOf('old')).toBe('earlier');
});

const hint = 'Give --out a file, or leave it out: the export goes to standard output then.';

test.each(['/dev/null', '/'])('%s is no regular file', (path) => {
  expect(() => outputFile(path)).toThrow(
    expect.objectContaining({
      code: 'invalid',
      message: `${path} is no regular file.`,
      details: { hint },
    }),
  );
});

test.each([
  { what: 'in a directory that does not exist', name: 'nowhere/out', error: 'ENOENT' },
  { what: 'that is a link to nothing', name: 'astray', error: 'ENOENT' },
])('a path $what is rejected', ({ name, error }) => {
  symlinkSync('nowhere', pathOf('astray'));
  const message = expect.stringContaining(`Cannot write ${pathOf(name)}: ${error}: `);
  expect(() => outputFile(pathOf(name))).toThrow(
    expect.objectContaining({ code: 'invalid', message }),
  );
});
