import { writeFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ops } from '../../support/ops.ts';
import {
  fileWith,
  type InventoryStage,
  importText,
  inventory,
  inventoryStage,
  problemsOf,
} from '../../support/ops-inventory.ts';

const header = 'petId,quantity,status\n';
const pets = `${header}-9223372036854775808,0,pending
7,12,available
9007199254740993,9007199254740991,sold
9223372036854775807,1,available
`;

const objects = (csv: string): string[] =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.replace(/^(.*),(.*),(.*)$/, '{"petId":$1,"quantity":$2,"status":"$3"}'));

const anyPetId =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros,';
const anyQuantity = 'quantity must be an integer from 0 to 9007199254740991,';
const anyStatus = 'status must be available, pending or sold,';

let stage: InventoryStage;
beforeAll(async () => {
  stage = await inventoryStage();
});
beforeEach(() => stage.reset());

test.each([
  ['CSV', pets],
  ['CSV of Windows, quoted, with a byte order mark', `\ufeff${pets.replaceAll('\n', '\r\n').replace('7,', '"7",')}`],
  ['CSV with its columns in another order', pets.replace(/^(\S+?),(\S+?),(\S+?)$/gm, '$3,$1,$2')],
  ['NDJSON', `${objects(pets).join('\n')}\n\n`],
  ['a JSON array in one line', `[${objects(pets)}]`],
  ['a JSON array in many lines', `\n[\n  ${objects(pets).join(',\n').replaceAll(':', '\n:\n')}\n]\n`],
])('takes %s, every digit exact', async (_format, text) => {
  expect(await importText(text)).toEqual({ code: 0, output: '4 read: 4 created.\n', problems: [] });
  expect(await stage.csv()).toBe(pets);
});

test.each([
  ['csv', pets],
  ['json', `[${objects(pets)}]`],
  ['ndjson', objects(pets).join('\n')],
])('takes %s from standard input', async (format, input) => {
  const { code, output } = await ops(['inventory', 'import', '-', '--format', format, '--local'], { input });
  expect({ code, output }).toEqual({ code: 0, output: '4 read: 4 created.\n' });
  expect(await stage.csv()).toBe(pets);
});

test.each([['[]'], [' [ ]\n'], [header], ['', '--format', 'ndjson'], ['\n\n', '--format', 'ndjson']])(
  'takes %j as no entries',
  async (text, ...options) => {
    expect(await importText(text, ...options)).toEqual({ code: 0, output: '0 read.\n', problems: [] });
  },
);

test('reads a file of any length, wherever its chunks end', async () => {
  const rows = Array.from({ length: 4_000 }, (_value, i) => `${i * 12_345_678_901},${i},sold\n`).join('');
  const entries = objects(header + rows);
  for (const text of [header + rows, entries.join('\n'), `[${entries}]`]) {
    const output = '4,000 read: 4,000 to create. Nothing was written.\n';
    expect(await importText(text, '--dry-run')).toEqual({ code: 0, output, problems: [] });
  }
});

test('reports every bad line with its column and value, and then writes nothing', async () => {
  const text = `${header}1,1,sold
2,-1,sold
9223372036854775808,1,sold
01,1.5,gone
5,,sold
6,9007199254740992,sold
=1+1,many,
1,2,sold
9,1
10,1e2,pending
11,4503599627370496.4999999999,pending
`;
  expect(await importText(text)).toEqual({
    code: 3,
    output: '',
    problems: [
      `Line 3: ${anyQuantity} not -1.`,
      `Line 4: ${anyPetId} not 9223372036854775808.`,
      `Line 5: ${anyPetId} not "01".`,
      `Line 5: ${anyQuantity} not 1.5.`,
      `Line 5: ${anyStatus} not "gone".`,
      `Line 6: ${anyQuantity} it is missing.`,
      `Line 7: ${anyQuantity} not 9007199254740992.`,
      `Line 8: ${anyPetId} not "=1+1".`,
      `Line 8: ${anyQuantity} not "many".`,
      `Line 8: ${anyStatus} it is missing.`,
      'Line 10: There must be 3 cells, not 2.',
      `Line 12: ${anyQuantity} not 4503599627370496.4999999999.`,
      'Line 9: petId 1 is in line 2 already.',
      'petstore: 9 entries are invalid. Nothing was written.',
      '--skip-invalid imports the others.',
    ],
  });
  expect(await stage.csv()).toBe(header);

  const skipped = await importText(text, '--skip-invalid');
  expect(skipped).toMatchObject({ code: 0, output: '11 read: 9 invalid, 2 created.\n' });
  expect(skipped.problems).toHaveLength(13);
  expect(await stage.csv()).toBe(`${header}1,1,sold\n10,100,pending\n`);
});

test('lists what is wrong in an array as JSON, in one error', async () => {
  const text = `[
  {"petId": 1, "quantity": 1, "status": "sold"},
  {"petId": "2", "quantity": true, "status": null, "note": "x"},
  {"petId": 3.0, "quantity": [1], "status": "sold"}, 17, {}, {"petId": 1, "quantity": 1, "status": "sold"}]`;
  const { code, output, errors } = await ops(['inventory', 'import', fileWith(text), '--json', '--local']);
  expect({ code, output }).toEqual({ code: 3, output: '' });
  expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '')).toEqual({
    error: {
      code: 'invalid',
      message: '5 entries are invalid. Nothing was written.',
      hint: '--skip-invalid imports the others.',
      problems: [
        { element: 2, column: 'petId', value: '"2"', reason: `${anyPetId} not "2".` },
        { element: 2, column: 'quantity', value: 'true', reason: `${anyQuantity} not true.` },
        { element: 2, column: 'status', value: 'null', reason: `${anyStatus} not null.` },
        { element: 2, column: 'note', reason: '"note" is not a property of an entry.' },
        { element: 3, column: 'petId', value: '3.0', reason: `${anyPetId} not 3.0.` },
        { element: 3, column: 'quantity', value: 'an array', reason: `${anyQuantity} not an array.` },
        { element: 4, reason: 'An entry must be an object with petId, quantity and status, not 17.' },
        { element: 5, column: 'petId', reason: `${anyPetId} it is missing.` },
        { element: 5, column: 'quantity', reason: `${anyQuantity} it is missing.` },
        { element: 5, column: 'status', reason: `${anyStatus} it is missing.` },
        { element: 6, column: 'petId', value: '1', reason: 'petId 1 is in element 1 already.' },
      ],
    },
  });
});

test('prints its figures as one JSON value, with what was left out', async () => {
  const { output } = await importText(`${header}1,1,sold\n2,x,sold\n`, '--skip-invalid', '--json');
  expect(JSON.parse(output)).toEqual({
    ...{ read: 2, invalid: 1, created: 1, replaced: 0, unchanged: 0, skipped: 0, changed: 0, left: 0 },
    problems: [{ line: 3, column: 'quantity', value: '"x"', reason: `${anyQuantity} not "x".` }],
  });
});

test.each([
  ['/nowhere/pets.csv', 'There is no file /nowhere/pets.csv.'],
  ['/', '/ is a directory.'],
])('says what is wrong with the file %s', async (path, reason) => {
  expect(await inventory('import', path)).toEqual({ code: 3, output: '', problems: [`petstore: ${reason}`] });
});

test('names the journal of an older version', async () => {
  const file = fileWith(pets);
  writeFileSync(`${file}.import`, '{"input":"pets","stageName":"staging","tableId":"x","onConflict":"fail"}\n[2,"1",1');
  const { code, output, errors } = await ops(['inventory', 'import', file, '--local']);
  expect({ code, output, problems: problemsOf(errors) }).toEqual({
    code: 0,
    output: '4 read: 4 created.\n',
    problems: [`${file}.import is a journal that an older version left. It is not used any more: remove it.`],
  });
});

describe('when entries are there already', () => {
  const existing = `${header}1,1,sold\n2,2,sold\n3,3,sold\n`;
  const text = `${header}1,1,sold\n2,5,available\n4,4,pending\n`;
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
    ['fail', existing, '3 read: 3 unchanged.\n', existing],
    ['skip', text, '3 read: 1 unchanged, 1 skipped, 1 created.\n', `${existing}4,4,pending\n`],
    [
      'replace',
      text,
      '3 read: 1 created, 1 replaced, 1 unchanged.\n',
      existing.replace('2,2,sold', '2,5,available').concat('4,4,pending\n'),
    ],
  ])('%s', async (onConflict, file, output, after) => {
    const result = await importText(file, '--on-conflict', onConflict);
    expect({ ...result, output: sorted(result.output) }).toEqual({ code: 0, output: sorted(output), problems: [] });
    expect(await stage.csv()).toBe(after);
  });

  test('says with --dry-run what it would do', async () => {
    const result = await importText(`${text}5,x,sold\n`, '--on-conflict', 'replace', '--skip-invalid', '--dry-run');
    expect(result).toMatchObject({
      code: 0,
      output: '4 read: 1 invalid, 1 to replace, 1 unchanged, 1 to create. Nothing was written.\n',
    });
    expect(await stage.csv()).toBe(existing);
  });
});

const sorted = (summary: string): string[] => summary.split(/[:,.] ?/).toSorted();
