import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ops } from '../../support/ops.ts';
import { fileWith, importText, inventory, inventoryStage } from '../../support/ops-inventory.ts';

const header = 'petId,quantity,status\n';
const pets = `${header}-9223372036854775808,0,pending
7,12,available
9007199254740993,9007199254740991,sold
9223372036854775807,1,available
`;
const [, ...objects] = pets
  .trimEnd()
  .split('\n')
  .map((row) => row.replace(/^(.*),(.*),(.*)$/, '{"petId":$1,"quantity":$2,"status":"$3"}'));

const [anyQuantity, anyStatus] = ['an integer from 0 to 9007199254740991', 'available, pending or sold'];

const stage = inventoryStage();

test.each([
  ['csv', pets],
  ['json', `[${objects}]`],
  ['ndjson', objects.join('\n')],
])('takes %s from a file and from standard input, every digit exact', async (format, input) => {
  const { code, output } = await ops(['inventory', 'import', '-', '--format', format, '--local'], { input });
  expect({ code, output }).toEqual({ code: 0, output: '4 read: 4 created.\n' });
  expect(await stage.csv()).toBe(pets);
  expect(await importText(input)).toEqual({ code: 0, output: '4 read: 4 unchanged.\n', problems: [] });
});

describe('with entries that are invalid', () => {
  const text = `${header}1,1,sold\n2,-1,gone\n3,,sold\n1,2,sold\n9,1\n10,1e2,pending\n1,3,sold\n`;
  const wrong: [line: number, reason: string, column: string | undefined, value?: string][] = [
    [3, `quantity must be ${anyQuantity}, not -1.`, 'quantity', '-1'],
    [3, `status must be ${anyStatus}, not "gone".`, 'status', '"gone"'],
    [4, `quantity must be ${anyQuantity}; it is missing.`, 'quantity'],
    [5, 'petId 1 is in line 2 already.', 'petId', '1'],
    [6, 'There must be 3 cells, not 2.', undefined, '"9,1"'],
    [8, 'petId 1 is in line 2 already.', 'petId', '1'],
  ];
  const asText = wrong.map(([line, reason]) => `Line ${line}: ${reason}`);
  const asJson = wrong.map(([line, reason, column, value]) => ({ line, reason, column, value }));
  const message = '5 entries are invalid. Nothing was written.';
  const hint = '--skip-invalid imports the others.';

  test('names each with its column and value, and writes nothing', async () => {
    const problems = [...asText, `petstore: ${message}`, hint];
    expect(await importText(text)).toEqual({ code: 3, output: '', problems });
    const { code, output, errors } = await ops(['inventory', 'import', fileWith(text), '--json', '--local']);
    expect({ code, output }).toEqual({ code: 3, output: '' });
    const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
    expect(error).toEqual({ code: 'invalid', message, hint, problems: asJson });
    expect(await stage.csv()).toBe(header);
  });

  test('imports the others with --skip-invalid', async () => {
    const output = '7 read: 5 invalid, 2 created.\n';
    expect(await importText(text, '--skip-invalid')).toEqual({ code: 0, output, problems: asText });
    expect(await stage.csv()).toBe(`${header}1,1,sold\n10,100,pending\n`);
    const again = await importText(text, '--skip-invalid', '--json');
    expect(JSON.parse(again.output)).toEqual({
      ...{ read: 7, invalid: 5, created: 0, replaced: 0, unchanged: 2, skipped: 0, changed: 0, left: 0 },
      problems: asJson,
    });
  });

  test('numbers the elements of an array', async () => {
    const { problems } = await importText('[{"petId":1,"quantity":1,"status":"sold"}, 17]');
    expect(problems[0]).toBe('Element 2: An entry must be an object with petId, quantity and status, not 17.');
    const json = await importText('[1]', '--skip-invalid', '--json');
    expect(JSON.parse(json.output).problems).toEqual([{ element: 1, reason: expect.any(String) }]);
  });
});

test.each([
  [() => '/nowhere/pets.csv', 'There is no file /nowhere/pets.csv.'],
  [() => '/', '/ is a directory.'],
  [() => fileWith(''), 'The file is empty.', 'To import it as no entries: --format ndjson'],
  [() => fileWith(`[${objects}`), 'The JSON array does not end: element 4 is the last complete one.'],
])('says what is wrong with file %#, and writes nothing', async (path, reason, ...hint) => {
  const problems = [`petstore: ${reason}`, ...hint];
  expect(await inventory('import', path())).toEqual({ code: 3, output: '', problems });
  expect(await stage.items()).toEqual([]);
});

test('names the journal of an older version', async () => {
  const file = fileWith(pets);
  writeFileSync(`${file}.import`, '{"input":"pets","stageName":"staging","tableId":"x","onConflict":"fail"}\n[2,"1",1');
  expect(await inventory('import', file)).toEqual({
    code: 0,
    output: '4 read: 4 created.\n',
    problems: [`${file}.import is a journal that an older version left. It is not used any more: remove it.`],
  });
});

describe('when entries are there already', () => {
  const existing = `${header}1,1,sold\n2,2,sold\n3,3,sold\n`;
  const text = `${header}1,1,sold\n2,5,available\n4,4,pending\n`;
  const replaced = `${header}1,1,sold\n2,5,available\n3,3,sold\n4,4,pending\n`;
  beforeEach(() => importText(existing));

  test('fails by default where they differ, says which, and writes nothing', async () => {
    expect(await importText(text)).toEqual({
      code: 4,
      output: '',
      problems: [
        'Line 3: petId 2 exists already: {"petId":2,"quantity":2,"status":"sold"}.',
        'petstore: 1 entry is in the table already, with other values. Nothing was written.',
        '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.',
      ],
    });
    expect(await stage.csv()).toBe(existing);
  });

  test.each([
    ['fail', existing, '3 read: 3 unchanged.', existing],
    ['skip', text, '3 read: 1 created, 1 unchanged, 1 skipped.', `${existing}4,4,pending\n`],
    ['replace', text, '3 read: 1 created, 1 replaced, 1 unchanged.', replaced],
    ['skip --dry-run', text, '3 read: 1 unchanged, 1 skipped, 1 to create. Nothing was written.', existing],
    ['replace --dry-run', text, '3 read: 1 to replace, 1 unchanged, 1 to create. Nothing was written.', existing],
  ])('--on-conflict %s', async (options, file, output, after) => {
    const result = await importText(file, '--on-conflict', ...options.split(' '));
    expect(result).toEqual({ code: 0, output: `${output}\n`, problems: [] });
    expect(await stage.csv()).toBe(after);
  });
});
