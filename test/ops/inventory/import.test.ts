import { existsSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';
import { emptyInventory, fileWith, importFile, inventoryCsv } from '../../support/ops-inventory.ts';

const pets = `petId,quantity,status
-9223372036854775808,0,pending
7,12,available
9007199254740993,9007199254740991,sold
9223372036854775807,1,available
`;
const header = 'petId,quantity,status\n';
const anyPetId =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros, not';
const anyQuantity = 'quantity must be an integer from 0 to 9007199254740991, not';

describe('ops inventory import', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });
  beforeEach(() => emptyInventory(run));

  const ndjson = (csv: string) =>
    csv
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.replace(/^(.*),(.*),(.*)$/, '{"petId":$1,"quantity":$2,"status":"$3"}\n'))
      .join('');

  test.each([
    ['CSV', pets],
    [
      'CSV of Windows, with a byte order mark and quotes',
      `\ufeff${pets.replaceAll('\n', '\r\n').replace('\r\n7,', '\r\n"7",')}`,
    ],
    ['CSV with its columns in another order', pets.replace(/^(\S+?),(\S+?),(\S+?)$/gm, '$3,$1,$2')],
    ['NDJSON', `${ndjson(pets)}\n`],
    ['a JSON array in one line', `[${ndjson(pets).trimEnd().replaceAll('\n', ',')}]`],
    [
      'a JSON array in many lines',
      `\n[\n  ${ndjson(pets).trimEnd().replaceAll('\n', ',\n').replaceAll(':', '\n:\n')}\n]\n`,
    ],
  ])('takes %s, every digit exact', async (_format, text) => {
    expect(await importFile(fileWith(text))).toEqual({ code: 0, output: '4 read: 4 created.\n', problems: [] });
    expect(await inventoryCsv(run)).toBe(pets);
  });

  test.each([
    ['csv', pets],
    ['json', `[${ndjson(pets).trimEnd().replaceAll('\n', ',')}]`],
    ['ndjson', ndjson(pets)],
  ])('takes %s from standard input', async (format, input) => {
    const { code, output } = await ops(
      ['inventory', 'import', '-', '--format', format, '--local', '--journal', fileWith('').concat('.import')],
      { input },
    );
    expect({ code, output }).toEqual({ code: 0, output: '4 read: 4 created.\n' });
    expect(await inventoryCsv(run)).toBe(pets);
  });

  test.each(['', '[]', ' [ ]\n', header])('takes the empty list %j', async (text) => {
    expect(await importFile(fileWith(text))).toEqual({ code: 0, output: '0 read.\n', problems: [] });
  });

  test('reads a file of any length, wherever its chunks end', async () => {
    const rows = Array.from({ length: 4_000 }, (_value, i) => `${i * 12_345_678_901},${i},sold\n`).join('');
    for (const text of [
      header + rows,
      ndjson(header + rows),
      `[${ndjson(header + rows)
        .trimEnd()
        .replaceAll('\n', ',')}]`,
    ]) {
      const result = await importFile(fileWith(text), '--on-conflict', 'replace', '--json');
      expect(result).toMatchObject({ code: 0, problems: [] });
      expect(JSON.parse(result.output).read).toBe(4_000);
    }
    expect(await inventoryCsv(run)).toBe(header + rows);
  });

  test('takes strings of JSON for what they are, wherever a chunk ends', async () => {
    const entry = (petId: number, status: string) => `{"petId":${petId},"quantity":1,"status":"${status}"}`;
    const odd = ['s\\u006fld', '],[', '}{', '\\"', '\\\\', '\\\\\\"]', ','];
    const array = `[${odd.map((status, i) => entry(i, status)).join(',')}]`;
    // Node reads 64 KiB at a time: each backslash comes to be the last of a chunk.
    const backslashes = [...array.matchAll(/\\/g)].map(({ index }) => index);
    for (const index of backslashes) {
      await emptyInventory(run);
      const file = fileWith(array.replace('[', `[${' '.repeat(65_535 - index)}`));
      const { output, problems } = await importFile(file, '--skip-invalid');
      expect({ output, problems }).toEqual({
        output: '7 read: 1 created, 6 invalid.\n',
        problems: odd.slice(1).map(() => 'Line 1: status must be available, pending or sold.'),
      });
      expect(await inventoryCsv(run)).toBe(`${header}0,1,sold\n`);
    }
  });

  test('reports every bad line with its number, field and reason, and then writes nothing', async () => {
    const file = fileWith(`${header}1,1,sold
2,-1,sold
9223372036854775808,1,sold
01,1.5,gone
5,,sold
6,9007199254740992,sold
7,many,
1,2,sold
9,1
10,1e2,pending
11,4503599627370496.4999999999,pending
`);
    expect(await importFile(file)).toEqual({
      code: 3,
      output: '',
      problems: [
        `Line 3: ${anyQuantity} a negative number.`,
        `Line 4: ${anyPetId} "9223372036854775808".`,
        `Line 5: ${anyPetId} "01".`,
        `Line 5: ${anyQuantity} a fraction.`,
        'Line 5: status must be available, pending or sold.',
        'Line 6: quantity is missing: it must be an integer from 0 to 9007199254740991.',
        `Line 7: ${anyQuantity} a larger number.`,
        `Line 8: ${anyQuantity} "many".`,
        'Line 8: status must be available, pending or sold.',
        'Line 9: petId 1 is in line 2 already.',
        'Line 10: There must be 3 cells, not 2.',
        `Line 12: ${anyQuantity} a fraction.`,
        'ops: 9 entries are invalid; --skip-invalid imports the others. Nothing was written.',
      ],
    });
    expect(await inventoryCsv(run)).toBe(header);
    expect(existsSync(`${file}.import`)).toBe(false);

    const skipped = await importFile(file, '--skip-invalid');
    expect(skipped.output).toBe('11 read: 2 created, 9 invalid.\n');
    expect({ code: skipped.code, problems: skipped.problems.length }).toEqual({ code: 0, problems: 12 });
    expect(await inventoryCsv(run)).toBe(`${header}1,1,sold\n10,100,pending\n`);
  });

  test('reports what is wrong in JSON', async () => {
    const file = fileWith(
      `[
  {"petId": 1, "quantity": 1, "status": "sold"},
  {"petId": "2", "quantity": "1", "status": null, "note": "x"},
  {"petId": 3.0, "quantity": 1, "status": "sold"}, 17,
  {"petId": 4, "quantity": 1, "status": "sold"`.concat('},\n  {"petId": 5,, "quantity": 1},\n  {}\n]'),
    );
    expect(await importFile(file, '--json')).toMatchObject({
      code: 3,
      output: [
        { line: 3, field: 'note', reason: '"note" is no property of an entry.' },
        { line: 3, field: 'petId', reason: `${anyPetId} "\\"2\\"".` },
        { line: 3, field: 'quantity', reason: `${anyQuantity} a string.` },
        { line: 3, field: 'status', reason: 'status must be available, pending or sold.' },
        { line: 4, field: 'petId', reason: `${anyPetId} "3.0".` },
        { line: 4, field: '', reason: 'An entry must be an object with petId, quantity and status.' },
        { line: 6, field: '', reason: 'This is not valid JSON.' },
        { line: 7, field: 'petId', reason: 'petId is missing.' },
        {
          line: 7,
          field: 'quantity',
          reason: 'quantity is missing: it must be an integer from 0 to 9007199254740991.',
        },
        { line: 7, field: 'status', reason: 'status must be available, pending or sold.' },
      ]
        .map((problem) => `${JSON.stringify(problem)}\n`)
        .join(''),
    });
    expect(await inventoryCsv(run)).toBe(header);
  });

  test.each([
    ['[{"petId":1,"quantity":1,"status":"sold"}', 'Line 1: the JSON array does not end.'],
    ['[{"petId":1,"quantity":1,"status":"sold"}]\n{}', 'Line 2: this is not one JSON array.'],
    ['[]\n[]', 'Line 2: this is not one JSON array.'],
    ['id,quantity\n1,2\n', 'Line 1: a CSV file must begin with the columns petId,quantity,status.'],
    [`[${'x'.repeat(300_000)}]`, 'Line 1: this is no entry, but something longer.'],
    [`{${'x'.repeat(300_000)}}`, 'Line 1: this is no entry, but something longer.'],
  ])('refuses a file it cannot read to its end: %.30s', async (text, reason) => {
    for (const options of [[], ['--skip-invalid']]) {
      const file = fileWith(text);
      expect(await importFile(file, ...options)).toEqual({ code: 3, output: '', problems: [`ops: ${reason}`] });
      expect(existsSync(`${file}.import`)).toBe(false);
    }
    expect(await inventoryCsv(run)).toBe(header);
  });

  test('refuses CSV whose quotes do not match', async () => {
    const { code, problems } = await importFile(fileWith(`${header}1,1,sold\n"2,1,sold\n`), '--skip-invalid');
    expect({ code, problems }).toEqual({
      code: 3,
      problems: [expect.stringMatching(/^ops: The file is not valid CSV: .*line 3/)],
    });
    expect(await inventoryCsv(run)).toBe(header);
  });

  test('refuses a file that is not there', async () => {
    const { code, output, errors } = await ops(['inventory', 'import', '/nowhere/pets.csv', '--local']);
    expect({ code, output }).toEqual({ code: 3, output: '' });
    expect(errors).toMatch(/^ops: ENOENT: .*'\/nowhere\/pets\.csv'\n$/);
    const ofDirectory = await ops(['inventory', 'import', '/', '--local']);
    expect(ofDirectory).toEqual({ code: 3, output: '', errors: 'ops: / is a directory.\n' });
  });

  describe('when entries exist already', () => {
    const existing = `${header}1,1,sold\n2,2,sold\n3,3,sold\n`;
    const file = `${header}1,1,sold\n2,5,available\n4,4,pending\n`;
    beforeEach(() => importFile(fileWith(existing)));

    test('fails by default, says which, and writes nothing', async () => {
      expect(await importFile(fileWith(file))).toEqual({
        code: 4,
        output: '',
        problems: [
          'Line 2: petId 1 exists already.',
          'Line 3: petId 2 exists already.',
          'ops: 2 entries are in the table already. Nothing was written.',
          '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.',
        ],
      });
      expect(await inventoryCsv(run)).toBe(existing);
    });

    test('skips them', async () => {
      const result = await importFile(fileWith(file), '--on-conflict', 'skip');
      expect(result).toEqual({ code: 0, output: '3 read: 1 created, 2 skipped.\n', problems: [] });
      expect(await inventoryCsv(run)).toBe(`${existing}4,4,pending\n`);
    });

    test('replaces them', async () => {
      const result = await importFile(fileWith(file), '--on-conflict', 'replace');
      expect(result).toEqual({ code: 0, output: '3 read: 1 created, 1 replaced, 1 unchanged.\n', problems: [] });
      expect(await inventoryCsv(run)).toBe(`${header}1,1,sold\n2,5,available\n3,3,sold\n4,4,pending\n`);
    });

    test('says with --dry-run what it would do', async () => {
      const path = fileWith(`${file}5,x,sold\n`);
      const result = await importFile(path, '--on-conflict', 'replace', '--skip-invalid', '--dry-run');
      expect(result).toMatchObject({
        code: 0,
        output: '4 read: 1 to create, 1 to replace, 1 unchanged, 1 invalid. Nothing was written.\n',
      });
      expect(await inventoryCsv(run)).toBe(existing);
      expect(existsSync(`${path}.import`)).toBe(false);
    });
  });
});
