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

const anyPetId =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const anyQuantity = 'quantity must be an integer from 0 to 9007199254740991';
const anyStatus = 'status must be available, pending or sold';

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
1,x
1,3,sold
`;
  const problems = [
    `Line 3: ${anyQuantity}, not -1.`,
    `Line 4: ${anyPetId}, not 9223372036854775808.`,
    `Line 5: ${anyPetId}, not "01".`,
    `Line 5: ${anyQuantity}, not 1.5.`,
    `Line 5: ${anyStatus}, not "gone".`,
    `Line 6: ${anyQuantity}; it is missing.`,
    `Line 7: ${anyQuantity}, not 9007199254740992.`,
    `Line 8: ${anyPetId}, not "=1+1".`,
    `Line 8: ${anyQuantity}, not "many".`,
    `Line 8: ${anyStatus}; it is missing.`,
    'Line 9: petId 1 is in line 2 already.',
    'Line 10: There must be 3 cells, not 2.',
    `Line 12: ${anyQuantity}, not 4503599627370496.4999999999.`,
    'Line 13: There must be 3 cells, not 2.',
    'Line 14: petId 1 is in line 2 already.',
  ];
  const end = ['petstore: 11 entries are invalid. Nothing was written.', '--skip-invalid imports the others.'];
  expect(await importText(text)).toEqual({ code: 3, output: '', problems: [...problems, ...end] });
  expect(await stage.csv()).toBe(header);

  const output = '13 read: 11 invalid, 2 created.\n';
  expect(await importText(text, '--skip-invalid')).toEqual({ code: 0, output, problems });
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
        { element: 2, column: 'petId', value: '"2"', reason: `${anyPetId}, not "2".` },
        { element: 2, column: 'quantity', value: 'true', reason: `${anyQuantity}, not true.` },
        { element: 2, column: 'status', value: 'null', reason: `${anyStatus}, not null.` },
        { element: 2, column: 'note', reason: '"note" is not a property of an entry.' },
        { element: 3, column: 'petId', value: '3.0', reason: `${anyPetId}, not 3.0.` },
        { element: 3, column: 'quantity', value: 'an array', reason: `${anyQuantity}, not an array.` },
        { element: 4, reason: 'An entry must be an object with petId, quantity and status, not 17.' },
        { element: 5, column: 'petId', reason: `${anyPetId}; it is missing.` },
        { element: 5, column: 'quantity', reason: `${anyQuantity}; it is missing.` },
        { element: 5, column: 'status', reason: `${anyStatus}; it is missing.` },
        { element: 6, column: 'petId', value: '1', reason: 'petId 1 is in element 1 already.' },
      ],
    },
  });
});

test('prints its figures as one JSON value, with what was left out', async () => {
  const { output } = await importText(`${header}1,1,sold\n2,x,sold\n9,1\n`, '--skip-invalid', '--json');
  expect(JSON.parse(output)).toEqual({
    ...{ read: 3, invalid: 2, created: 1, replaced: 0, unchanged: 0, skipped: 0, changed: 0, left: 0 },
    problems: [
      { line: 3, column: 'quantity', value: '"x"', reason: `${anyQuantity}, not "x".` },
      { line: 4, value: '"9,1"', reason: 'There must be 3 cells, not 2.' },
    ],
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
