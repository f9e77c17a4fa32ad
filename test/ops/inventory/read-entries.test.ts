import { expect, test } from '@jest/globals';
import { checkEntry, Numeral } from '../../../ops/inventory/check-entry.ts';
import { exported, header, importText, tablesOfStage } from '../../support/ops/ops-stage.ts';
import { isLinear } from '../../support/process/linear.ts';

const stage = tablesOfStage();

const one = '1,1,sold';
const entry = '{"petId":1,"quantity":1,"status":"sold"}';
const rows = ['-9223372036854775808,0,pending', '9007199254740993,9007199254740991,sold'];
const pets = `${header}${rows.join('\n')}\n`;

const [empty, hint] = ['petstore: The file is empty.', 'To accept an empty file: --format ndjson'];
const columns = 'petstore: Line 1: a CSV file must begin with the columns petId,quantity,status,';
const quotes = 'a quote is not closed or is inside a cell, or this is too long to be an entry.';
const tooLong = 'this is too long to be an entry.';
const invalid = 'this is not valid JSON.';
const object = 'An entry must be an object with petId, quantity and status, not';
const missing = (place: string) =>
  ['petId', 'quantity', 'status'].map((column) => `${place}: ${column}; it is missing.`);
const isUnknown = 'is not a property of an entry.';
const unknown = (place: string, name: string) => [
  ...missing(place),
  `${place}: "${name}" ${isUnknown}`,
];
const cells = (line: number, row: string) =>
  `Line ${line}: There must be 3 cells, not ${row.split(',').length}: "${row}".`;
const notJson = (line: string) => `This is not valid JSON: ${JSON.stringify(line)}.`;

const strings = ['],[', '}{', '\\"', '\\\\', '\\\\\\"]', ',', 'é'];

/**
 * Files to import. `expected` lists the rows that the import creates, as CSV, and then the problems
 * it reports.
 */
const files: [what: string, text: string | Buffer, ...expected: string[]][] = [
  ['a byte order mark', `\ufeff${header}${one}\n`, one],
  ['a byte order mark before JSON', `\ufeff[${entry}]`, one],
  ['a byte order mark before NDJSON', `\ufeff${entry}`, one],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${pets}`, 'utf16le'), ...rows],
  [
    'JSON in UTF-16',
    Buffer.from(`\ufeff[${entry}]`, 'utf16le'),
    'petstore: JSON must be UTF-8, not UTF-16.',
  ],
  [
    'NDJSON in UTF-16',
    Buffer.from(`\ufeff${entry}`, 'utf16le').swap16(),
    'petstore: JSON must be UTF-8, not UTF-16.',
  ],
  [
    'CRLF and quotes',
    pets.replaceAll(/([^,\n]+)([,\n])/g, '"$1"$2').replaceAll('\n', '\r\n'),
    ...rows,
  ],
  [
    'a mix of CR, LF and CRLF',
    `${header}${one}\r\n\r\n\n1,2\r3,4,sold`,
    one,
    '3,4,sold',
    cells(5, '1,2'),
  ],
  ['columns in another order', pets.replace(/^(\S+?),(\S+?),(\S+?)$/gm, '$3,$1,$2'), ...rows],
  ['blank lines', `\n\n${header}\n\n${one}\n\n\n1,2`, one, cells(9, '1,2')],
  ['blank lines and CRLF in NDJSON', `\r\n${entry}\r\n\r\n{}`, one, ...missing('Line 4')],
  ['escapes in JSON', `[{"\\u0070etId":1,"quantity":1e0,"status":"s\\u006fld"}]`, one],
  [
    'an array on many lines',
    `\n[\n ${entry.replaceAll(':', '\n:\n')}\n, {}]\n`,
    one,
    ...missing('Element 2'),
  ],
  ['a header but no entries', header],
  ['an empty array', ' [ ]\n'],
  [
    'brackets and quotes in strings',
    `[${strings.map((status) => `{"petId":1,"quantity":1,"status":"${status}"}`)}]`,
    ...strings.map((status, i) => `Element ${i + 1}: status, not "${status}".`),
  ],
  [
    'a cell that spans two lines',
    `${header}1,1,"é,\n"" "\n1,1,é\n`,
    ...['Line 3: status, not "é,\\n\\" ".', 'Line 4: status, not "é".'],
  ],
  ['a two-byte character in NDJSON', entry.replace('sold', 'é'), 'Line 1: status, not "é".'],
  ['no content', '', empty, hint],
  ['NUL bytes', '\0'.repeat(100), `${columns} not "${'\\u0000'.repeat(40)}".`],
  ['a NUL in a cell', `${header}1,\u00001,sold\n`, 'Line 2: quantity, not "\\u00001".'],
  [
    'invalid UTF-8 in a cell',
    Buffer.from(`${header}1,1,so\xffld\n`, 'latin1'),
    'Line 2: status, not "so\ufffdld".',
  ],
  [
    'invalid UTF-8 in JSON',
    Buffer.from(`[{"\xff":1}]`, 'latin1'),
    `petstore: Element 1: ${invalid}`,
  ],
  ['semicolons', pets.replaceAll(',', ';'), `${columns} separated by commas, not by semicolons.`],
  ['tabs', pets.replaceAll(',', '\t'), `${columns} separated by commas, not by tabs.`],
  ['a repeated column', `petId,${header}`, `${columns} not "petId,petId,quantity,status".`],
  ['a trailing comma', `${header}1,1,sold,\n`, cells(2, '1,1,sold,')],
  [
    'invalid cells',
    `${header}01,1.5,sold\n9223372036854775808,9007199254740992,many\n11,4503599627370496.4999999999,sold\n`,
    ...[
      'Line 2: petId, not "01".',
      'Line 2: quantity, not 1.5.',
      'Line 3: petId, not 9223372036854775808.',
    ],
    ...['Line 3: quantity, not 9007199254740992.', 'Line 3: status, not "many".'],
    'Line 4: quantity, not 4503599627370496.4999999999.',
  ],
  [
    'invalid values in an array',
    '[{"petId": "2", "quantity": true, "status": null}, {"petId": 3.0, "quantity": [1], "status": {}}]',
    ...[
      'Element 1: petId, not "2".',
      'Element 1: quantity, not true.',
      'Element 1: status, not null.',
    ],
    ...[
      'Element 2: petId, not 3.0.',
      'Element 2: quantity, not an array.',
      'Element 2: status, not an object.',
    ],
  ],
  ['a long key', `{"${'k'.repeat(41)}":1}`, ...unknown('Line 1', `${'k'.repeat(40)}…`)],
  ['a formula', `${header}=cmd|' /C calc'!A1,1,sold\n`, `Line 2: petId, not "=cmd|' /C calc'!A1".`],
  ['an unclosed quote', `${header}${one}\n"2,1,sold\n`, `petstore: After line 2: ${quotes}`],
  ['a quote inside a cell', `${header}2"2,1,sold\n`, `petstore: After line 1: ${quotes}`],
  [
    'deep nesting in NDJSON',
    `{"a":${'['.repeat(90_000)}`,
    `Line 1: ${notJson(`{"a":${'['.repeat(35)}…`)}`,
  ],
  ['a trailing comma in an array', `[${entry},]`, `petstore: Element 2: ${invalid}`],
  ['a trailing comma in an object', `[{"petId":1,}]`, `petstore: Element 1: ${invalid}`],
  [
    'an unclosed array',
    `[${entry}`,
    'petstore: The JSON array does not end: element 1 is the last complete one.',
  ],
  ['two arrays', '[]\n[]', `petstore: Element 1: ${invalid}`],
  ['prototype keys', `{"__proto__":${entry}}`, ...unknown('Line 1', '__proto__')],
  ['prototype keys in an array', `[{"__proto__":${entry}}]`, ...unknown('Element 1', '__proto__')],
  [
    'garbage',
    '{]\n[1]\n17',
    `Line 1: ${notJson('{]')}`,
    `Line 2: ${object} an array.`,
    `Line 3: ${object} 17.`,
  ],
];

const chunksOf = (file: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(file.length / size) }, (_chunk, i) =>
    file.subarray(i * size, (i + 1) * size),
  );

test.each(files)('an import reads or rejects a file with %s', async (_what, file, ...expected) => {
  const bytes = Buffer.from(file as string);
  // The file comes first in chunks as large as Node reads them, and then in chunks that may end
  // inside a character.
  for (const size of [65_536, Math.ceil(bytes.length / 1_000)]) {
    await stage.reset();
    const { problems } = await importText(chunksOf(bytes, size), '--skip-invalid');
    const imported = (await exported()).split('\n').slice(1, -1);
    // import.test.ts checks the rest of each message, which says what the column must be.
    const short = problems.map((line) =>
      line.replace(/(petId|quantity|status) must be .*(?=, not |; it is)/, '$1'),
    );
    expect([...imported, ...short]).toEqual(expected);
  }
});

test.each([
  ['blanks', '', ' ', 'petstore: The file begins with too much white space.'],
  ['a line', header, 'x', `petstore: After line 1: ${quotes}`],
  ['an unclosed quote', `${header}${one}\n"`, 'xxxxxxx\n', `petstore: After line 2: ${quotes}`],
  ['empty cells', header, ',', `petstore: Line 2: ${tooLong}`],
  ['a line of NDJSON', `${entry}\n{"`, 'x', `petstore: Line 2: ${tooLong}`],
  ['an element', `[${entry},"`, 'x', `petstore: Element 2: ${tooLong}`],
  ['nesting', '[', '[', `petstore: Element 1: ${tooLong}`],
  ['blanks in an array', '[', ' ', `petstore: Element 1: ${tooLong}`],
])(
  'an import of endless input stops before it has read 1 MB: %s',
  async (_what, start, piece, ...problems) => {
    let taken = 0;
    const endless = function* () {
      yield Buffer.from(start);
      for (; taken < 1_000; taken++) {
        yield Buffer.from(piece.repeat(65_536 / piece.length));
      }
    };
    expect(await importText(endless(), '--skip-invalid')).toEqual({
      code: 3,
      output: '',
      problems,
    });
    expect(taken).toBeLessThan(1_000_000 / 65_536);
    expect(await exported()).toBe(header);
  },
);

test('--format ndjson accepts an empty file, and --format json rejects an object', async () => {
  expect(await importText('', '--format', 'ndjson')).toMatchObject({ code: 0, problems: [] });
  const problems = ['petstore: A JSON file must be one array of entries.'];
  expect(await importText('{}', '--format', 'json')).toMatchObject({ code: 3, problems });
});

test('a file may have any length', async () => {
  const many = Array.from({ length: 10_000 }, () => entry);
  for (const text of [header + `${one}\n`.repeat(10_000), `[${many}]`, many.join('\n')]) {
    const { output } = await importText(
      chunksOf(Buffer.from(text), 65_536),
      '--skip-invalid',
      '--dry-run',
    );
    expect(output).toMatch(/^10,000 read: 9,999 invalid, /);
  }
});

test.each<[what: string, entryOf: (length: number) => unknown]>([
  ['a quantity', (length) => ({ quantity: new Numeral(`1.${'0'.repeat(length)}1`) })],
  ['a quantity that is not a number', (length) => ({ quantity: `${'1'.repeat(length)}x` })],
  ['a status', (length) => ({ status: '\u0001'.repeat(length) })],
  ['a key', (length) => ({ ['x'.repeat(length)]: 1 })],
  [
    'many keys',
    (length) =>
      Object.fromEntries(Array.from({ length: length / 10 }, (_value, i) => [`k${i}`, 1])),
  ],
])('the time to check %s grows at most linearly with its length', (_what, entryOf) => {
  expect(isLinear(checkEntry, entryOf)).toBe(true);
});
