import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { openSource } from '../../../../ops/inventory/files/entry-source.ts';
import type { Format } from '../../../../ops/inventory/files/formats.ts';
import { header } from '../../../support/ops/ops-stage.ts';

const one = '1,1,sold';
const entry = '{"petId":1,"quantity":1,"status":"sold"}';
const rows = ['-9223372036854775808,0,pending', '9007199254740993,9007199254740991,sold'];
const pets = `${header}${rows.join('\n')}\n`;

const rule = 'The columns must be petId, quantity and status, in any order.';
const begin =
  'a CSV file must begin with the names of its columns, petId, quantity and status, ' +
  'separated by commas, semicolons or tabs. It begins with';
const rounded =
  ' A spreadsheet has rounded it: format its column as text, and enter the numbers again.';
const empty = 'error: The file is empty.';
const quotes = 'a quote is not closed or is inside a cell, or this is too long to be an entry.';
const tooLong = 'this is too long to be an entry.';
const invalid = 'this is not valid JSON.';
const object = 'An entry must be an object with petId, quantity and status, not';
const missing = (position: string) =>
  ['petId', 'quantity', 'status'].map((column) => `${position}: ${column}; it is missing.`);
const isUnknown = 'is not a property of an entry.';
const unknown = (position: string, name: string) => [
  ...missing(position),
  `${position}: "${name}" ${isUnknown}`,
];
const cells = (line: number, row: string, count: number) =>
  `Line ${line}: There must be 3 cells, not ${count}: "${row}".`;
const notJson = (line: string) => `This is not valid JSON: ${JSON.stringify(line)}.`;

const strings = ['],[', '}{', '\\"', '\\\\', '\\\\\\"]', ',', 'é'];

/**
 * Files to read. `expected` lists the valid entries, as CSV, then what is wrong with the others,
 * and then the error that ends the reading.
 */
const files: [what: string, text: string | Buffer, ...expected: string[]][] = [
  ['a byte order mark', `\ufeff${header}${one}\n`, one],
  ['a byte order mark before JSON', `\ufeff[${entry}]`, one],
  ['a byte order mark before NDJSON', `\ufeff${entry}`, one],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${pets}`, 'utf16le'), ...rows],
  ['JSON in UTF-16', Buffer.from(`\ufeff[${entry}]`, 'utf16le'), one],
  ['NDJSON in UTF-16, big endian', Buffer.from(`\ufeff${entry}`, 'utf16le').swap16(), one],
  ['UTF-16, big endian', Buffer.from(`\ufeff${pets}`, 'utf16le').swap16(), ...rows],
  [
    'half a character of UTF-16 at its end',
    Buffer.concat([Buffer.from(`\ufeff${header}1,1,sold`, 'utf16le'), Buffer.from('x')]),
    'Line 2: status, not "sold\ufffd".',
  ],
  [
    'half a character of UTF-8 at the end of NDJSON',
    Buffer.concat([Buffer.from(`${entry}\n{`), Buffer.from([0xc3])]),
    one,
    `Line 2: ${notJson('{\ufffd')}`,
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
    cells(5, '1,2', 2),
  ],
  ['columns in another order', pets.replace(/^(\S+?),(\S+?),(\S+?)$/gm, '$3,$1,$2'), ...rows],
  ['blank lines', `\n\n${header}\n\n${one}\n\n\n1,2`, one, cells(9, '1,2', 2)],
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
  ['no content', '', empty],
  ['blanks only', '\ufeff \r\n\t\n', empty],
  ['a gzip file', gzipSync(header), 'error: The file is compressed with gzip: unpack it first.'],
  ['NUL bytes', '\0'.repeat(100), `error: Line 1: ${begin} "${'\\u0000'.repeat(40)}…".`],
  ['a NUL in a cell', `${header}1,\u00001,sold\n`, 'Line 2: quantity, not "\\u00001".'],
  [
    'invalid UTF-8 in a cell',
    Buffer.from(`${header}1,1,so\xffld\n`, 'latin1'),
    'Line 2: status, not "so\ufffdld".',
  ],
  ['invalid UTF-8 in JSON', Buffer.from(`[{"\xff":1}]`, 'latin1'), `error: Element 1: ${invalid}`],
  ['an empty status', `${header}1,1,\n`, 'Line 2: status; it is missing.'],
  ['semicolons', pets.replaceAll(',', ';'), ...rows],
  ['tabs', pets.replaceAll(',', '\t'), ...rows],
  [
    'tabs and an empty cell',
    'petId\tquantity\tstatus\n1\t\tsold\n',
    'Line 2: quantity; it is missing.',
  ],
  ['semicolons and commas', 'petId;quantity;status\n1,5;1;sold\n', 'Line 2: petId, not "1,5".'],
  ['semicolons but for one line', `petId;quantity;status\n${one}\n`, cells(2, one, 1)],
  ['too few cells between semicolons', 'petId;quantity;status\n1;1\n', cells(2, '1;1', 2)],
  ['column names in any case', 'PETID,Quantity,STATUS\n1,1,sold\n', one],
  ['blanks around cells', ' petId , "quantity" ,status\n 1 , "1" ,\tsold \n', one],
  ['blanks in quotes', `${header}1,1,"sold "\n`, 'Line 2: status, not "sold ".'],
  ['status in another case', `${header}1,1,Sold\n`, 'Line 2: status, not "Sold".'],
  [
    'an unknown column and a missing one, after a blank line',
    '\npetId,quantity,colour\n1,1,red\n',
    `error: Line 2: unknown column: colour; status is missing. ${rule}`,
  ],
  ['no header', `${one}\n`, `error: Line 1: ${begin} "1,1,sold".`],
  ["Excel's line of the separator", 'sep=;\n1;1;sold\n', `error: Line 1: ${begin} "sep=;".`],
  [
    'a petId and a quantity that a spreadsheet has rounded',
    `${header}1.23457E+12,1E+11,sold\n`,
    `Line 2: petId, not "1.23457E+12".${rounded}`,
    `Line 2: quantity, not "1E+11".${rounded}`,
  ],
  [
    'a petId that a German spreadsheet has rounded',
    'petId;quantity;status\n-1,23457E+12;1;sold\n',
    `Line 2: petId, not "-1,23457E+12".${rounded}`,
  ],
  ['a JSON number in a cell', `${header}1,1e2,sold\n`, '1,100,sold'],
  [
    'a quantity with an exponent in JSON',
    `[{"petId":1,"quantity":1.5E+02,"status":"sold"}]`,
    '1,150,sold',
  ],
  ['a trailing comma', `${header}1,1,sold,\n`, cells(2, '1,1,sold,', 4)],
  [
    'invalid cells',
    `${header}01,1.5,sold\n9223372036854775808,9007199254740992,many\n` +
      '11,4503599627370496.4999999999,sold\n',
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
    '[{"petId": "2", "quantity": true, "status": null}, ' +
      '{"petId": 3.0, "quantity": [1], "status": {}}]',
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
  ['an unclosed quote', `${header}${one}\n"2,1,sold\n`, one, `error: After line 2: ${quotes}`],
  ['a quote inside a cell', `${header}2"2,1,sold\n`, `error: After line 1: ${quotes}`],
  [
    'deep nesting in NDJSON',
    `{"a":${'['.repeat(90_000)}`,
    `Line 1: ${notJson(`{"a":${'['.repeat(35)}…`)}`,
  ],
  ['a trailing comma in an array', `[${entry},]`, one, `error: Element 2: ${invalid}`],
  ['a trailing comma in an object', `[{"petId":1,}]`, `error: Element 1: ${invalid}`],
  [
    'an unclosed array',
    `[${entry}`,
    one,
    'error: The JSON array does not end: element 1 is the last complete one.',
  ],
  ['two arrays', '[]\n[]', `error: Element 1: ${invalid}`],
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

const chunksOf = function* (file: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < file.length; start += size) {
    yield file.subarray(start, start + size);
  }
};

/** The rule for a column in a message. The tests of check-entry compare it. */
const ruleOf = /(petId|quantity|status) must be .*?(?=, not |; it is)/;

/**
 * Reads a file. Returns each entry as CSV, then what is wrong with the others, and then the error
 * that ended the reading.
 */
const reading = async (chunks: Iterable<Buffer>, format?: Format): Promise<string[]> => {
  const entries: string[] = [];
  const problems: string[] = [];
  const errors: string[] = [];
  try {
    const source = await openSource(Readable.from(chunks), format);
    const unit = source.unit === 'line' ? 'Line' : 'Element';
    await source.read((position, entry) => {
      if (Array.isArray(entry)) {
        const reasons = entry.map(({ reason }) => reason.replace(ruleOf, '$1'));
        problems.push(...reasons.map((reason) => `${unit} ${position}: ${reason}`));
      } else {
        entries.push(Object.values(entry).join());
      }
    });
  } catch (error) {
    expect(error).toMatchObject({ name: 'CliError', code: 'invalid' });
    errors.push(`error: ${(error as Error).message}`);
  }
  return [...entries, ...problems, ...errors];
};

/** The size of the chunks in which Node reads a file, and sizes that end inside a character. */
const chunkSizes = [65_536, 7, 1];

test.each(files)('a file with %s is read or rejected', async (_what, file, ...expected) => {
  const bytes = Buffer.from(file as string);
  for (const size of chunkSizes) {
    expect(await reading(chunksOf(bytes, size))).toEqual(expected);
  }
});

/** More than is ever read of input without end. */
const tooMuch = 1_000_000;

test.each([
  ['blanks', '', ' ', 'error: The file begins with too much white space.'],
  ['a line', header, 'x', `error: After line 1: ${quotes}`],
  ['an unclosed quote', `${header}${one}\n"`, 'xxxxxxx\n', `error: After line 2: ${quotes}`],
  ['empty cells', header, ',', `error: Line 2: ${tooLong}`],
  ['a line of NDJSON', `${entry}\n{"`, 'x', `error: Line 2: ${tooLong}`],
  ['an element', `[${entry},"`, 'x', `error: Element 2: ${tooLong}`],
  ['nesting', '[', '[', `error: Element 1: ${tooLong}`],
  ['blanks in an array', '[', ' ', `error: Element 1: ${tooLong}`],
])('the reading of endless input stops soon: %s', async (_what, start, piece, error) => {
  const chunk = Buffer.from(piece.repeat(65_536 / piece.length));
  let read = 0;
  const endless = function* () {
    yield Buffer.from(start);
    for (; read < 10 * tooMuch; read += chunk.length) {
      yield chunk;
    }
  };
  expect((await reading(endless())).at(-1)).toBe(error);
  expect(read).toBeLessThan(tooMuch);
});

test.each<[Format, string, string]>([
  ['ndjson', '', ''],
  ['ndjson', '\n', ''],
  ['csv', '', empty],
  ['json', '', empty],
  ['json', '{}', 'error: A JSON file must be one array of entries.'],
  ['csv', '[1]', `error: Line 1: ${begin} "[1]".`],
  ['ndjson', '[1]', `Line 1: ${object} an array.`],
  ['json', '\n [ ]', ''],
])('as %s, %j is read or rejected', async (format, text, expected) => {
  expect(await reading([Buffer.from(text)], format)).toEqual(expected ? [expected] : []);
});

test('an empty file is rejected with the way to accept it', async () => {
  const hint = 'To accept an empty file: --format ndjson';
  await expect(openSource(Readable.from([]))).rejects.toMatchObject({ details: { hint } });
});

const manyEntries = Array.from({ length: 10_000 }, () => entry);
const readable: [format: Format, text: string][] = [
  ['csv', header + `${one}\n`.repeat(manyEntries.length)],
  ['json', `[${manyEntries}]`],
  ['ndjson', manyEntries.join('\n')],
];

test.each(readable)('a file in %s may have any length', async (_format, text) => {
  const read = await reading(chunksOf(Buffer.from(text), 65_536));
  expect(read).toEqual(manyEntries.map(() => one));
});
