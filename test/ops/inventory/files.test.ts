import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { petStatuses } from '../../../functions/inventory/item.ts';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { rules } from '../../../ops/inventory/check-entry.ts';
import { parseItems } from '../../../ops/inventory/parse-items.ts';
import { readText } from '../../../ops/inventory/read-file.ts';
import { roundedPetIds } from '../../../ops/inventory/spreadsheet.ts';
import { csv } from '../../support/ops/inventory.ts';

/** Returns what an import reads: each entry as `1,7,sold`, or the lines that say what is wrong. */
const linesOf = async (...chunks: (string | Buffer)[]): Promise<string[]> => {
  try {
    const items = parseItems(await readText('-', Readable.from(chunks)));
    return items.map(({ petId, quantity, status }) => [petId, quantity, status].join());
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

const ends = ['-9223372036854775808,0,pending', '9223372036854775807,9007199254740991,sold'];
const both = csv(...ends);
const [first, last] = [
  '{"petId":-9223372036854775808,"quantity":0,"status":"pending"}',
  '{"petId":9223372036854775807,"quantity":9007199254740991,"status":"sold"}',
];

test.each([
  { what: 'CSV', file: both },
  { what: 'CSV with a byte order mark', file: `\ufeff${both}` },
  { what: 'CSV with each line break once', file: both.replace('\n', '\r').replace('\n', '\r\n') },
  { what: 'CSV after blank lines', file: `\n \t\n,,\n${both}` },
  {
    what: 'CSV with rows of nothing but separators and blanks',
    file: both.replaceAll('\n', '\n,,\n;;\n\t\n ,\u00a0\n"","\u200b"\n'),
  },
  { what: 'CSV with a last separator in its first line', file: both.replace('\n', ',\n') },
  { what: 'CSV after rows of other separators', file: `\t\n;;\n${both}` },
  { what: 'CSV with last separators in other lines', file: both.replaceAll(/(?<=g|d)\n/g, ',,\n') },
  { what: 'CSV with a last separator in every line', file: both.replaceAll('\n', ',\n') },
  { what: 'CSV that tells Excel its separator', file: `sep=;\r\n${both.replaceAll(',', ';')}` },
  { what: 'CSV that PowerShell has written', file: `#TYPE System.Object\r\n${both}` },
  { what: 'JSON', file: `[${first},${last}]` },
  { what: 'JSON with numbers as texts', file: `[${first},${last}]`.replaceAll(/-?\d+/g, '"$&"') },
  {
    what: 'JSON with a property twice, as for the API',
    file: `[{"petId":1,${first.slice(1)},${last}]`,
  },
])('$what is read', async ({ file }) => expect(await linesOf(file)).toStrictEqual(ends));

test('a file is read however its bytes arrive', async () => {
  const bytes = Buffer.from(`\ufeff${both}`);
  const chunks = Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1));
  expect(await linesOf(...chunks)).toStrictEqual(ends);
});

const anyInventory = fc.uniqueArray(
  fc.record({
    petid: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    quantity: fc.maxSafeNat().map(String),
    status: fc.constantFrom(...petStatuses),
  }),
  { selector: ({ petid }) => petid },
);

/** How programs write the same rows. */
const anyDialect = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  columns: fc.shuffledSubarray(['petid', 'quantity', 'status', ''] as const, { minLength: 4 }),
  cellOf: fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `\u00a0${text} `,
    (text) => ` "\u00a0${text} " `,
  ),
});

test('the same entries in any dialect of CSV are the same items', async () => {
  const property = fc.asyncProperty(anyInventory, anyDialect, async (inventory, dialect) => {
    const { separator, lineBreak, columns, cellOf } = dialect;
    const rowOf = (row: Record<string, string>) =>
      columns.map((column) => cellOf(row[column] ?? '')).join(separator);
    const names = { petid: 'petId', quantity: 'QUANTITY', status: 'status' };
    const file = [names, ...inventory].map(rowOf).join(lineBreak);
    expect(await linesOf(file)).toStrictEqual(
      inventory.map(({ petid, quantity, status }) => [petid, quantity, status].join()),
    );
  });
  await fc.assert(property);
});

test.each(['', ' \r\n\t\n', ',,\n;;', '"",""\n'])('%j is empty', async (file) => {
  expect(await linesOf(file)).toStrictEqual(['The file is empty.']);
});

test.each([
  { what: 'entries without names', file: '1,1,sold\n2,2,sold\n', begins: '"1,1,sold"' },
  { what: 'a missing column', file: 'petId,quantity\n', begins: '"petId,quantity"' },
  { what: 'an unknown column', file: 'petId,quantity,kind', begins: '"petId,quantity,kind"' },
  { what: 'one more column', file: 'petId,status,quantity,x', begins: '"petId,status,quantity,x"' },
  { what: 'a column twice', file: 'petId,petid,status', begins: '"petId,petid,status"' },
  { what: 'another separator', file: 'petId|quantity|status', begins: '"petId|quantity|status"' },
  { what: 'a mark in a name', file: 'pet\u200bId,quantity', begins: '"pet\\u200bId,quantity"' },
  {
    what: 'quotes round it',
    file: '"petId,quantity,status"',
    begins: '"\\"petId,quantity,status\\""',
  },
  { what: 'HTML', file: '<!doctype html>\n<p class="x">', begins: '"<!doctype html>"' },
])('a first line with $what is shown', async ({ file, begins }) => {
  expect(await linesOf(file)).toStrictEqual([
    'The file is neither JSON nor CSV. The first line of CSV must name just the columns petId, ' +
      `quantity and status, separated by commas, semicolons or tabs, not ${begins}.`,
  ]);
});

const object = '{"petId":1,"quantity":1,"status":"sold"}';
const another = '{"petId":2,"quantity":2,"status":"pending"}';

test.each([
  { what: 'one', file: object, read: ['1,1,sold'] },
  { what: 'one on each line', file: `${object}\n${another}\n`, read: ['1,1,sold', '2,2,pending'] },
  { what: 'one behind the other', file: `${object}${another}`, read: ['1,1,sold', '2,2,pending'] },
  {
    what: 'of several lines, as jq . prints them',
    file: [object, another].map((each) => each.replaceAll(/[{,}]/g, '\r\n$&\r\n')).join('\r\n'),
    read: ['1,1,sold', '2,2,pending'],
  },
  {
    what: 'with every digit',
    file: first + last,
    read: ends,
  },
])('objects in a row are entries: $what', async ({ file, read }) => {
  expect(await linesOf(file)).toStrictEqual(read);
});

test('what is wrong with objects in a row is named by their numbers, whatever their strings hold', async () => {
  const tricky = JSON.stringify({ petId: 3, quantity: 3, status: 'so\\"} {"ld' });
  expect(await linesOf(`${object}\n${tricky}\n{"petId":4}\n${object}`)).toStrictEqual([
    `Entry 2: ${statusRule}, not ${JSON.stringify('so\\"} {"ld')}.`,
    `Entry 3: ${quantityRule}; it is missing.`,
    `Entry 3: ${statusRule}; it is missing.`,
    'Entry 4: petId 1 is already in entry 1.',
    nothing,
  ]);
});

test.each([
  { what: 'a list of another API', file: `{\n  "items": [\n    ${object}\n  ]\n}\n` },
  { what: 'nothing', file: '{}' },
])('an object that is no entry is told what is wanted: $what', async ({ file }) => {
  expect(await linesOf(file)).toStrictEqual([
    'The file is a JSON object, but an import takes entries, such as ' +
      '{"petId":1,"quantity":7,"status":"sold"}: in an array, or one after another.',
  ]);
});

const item = '{"petId": {"N": "1"}, "quantity": {"N": "7"}, "status": {"S": "sold"}}';

test.each([
  { what: 'a scan', file: `{\n "Items": [${item}],\n "Count": 1\n}` },
  { what: 'a query of a scan', file: `[${item}]` },
  { what: 'an export to S3', file: `{"Item":${item}}\n{"Item":${item}}\n` },
  { what: 'what get-item prints', file: `{\n    "Item": {\n        ${item.slice(1)}\n}` },
])("DynamoDB's own JSON is told the command for ours: $what", async ({ file }) => {
  expect(await linesOf(file)).toStrictEqual([
    "The file is in DynamoDB's own JSON. inventory export prints what an import takes; for another " +
      'table, use this command:',
    "aws dynamodb scan --table-name TABLE --output json --query 'Items[].{petId: petId.N, " +
      "quantity: quantity.N, status: status.S}'",
  ]);
});

test('what that command prints is taken', async () => {
  const printed = [{ petId: '9007199254740993', quantity: '7', status: 'sold' }];
  expect(await linesOf(JSON.stringify(printed))).toStrictEqual(['9007199254740993,7,sold']);
});

// The words are V8's.
test.each([
  { what: 'an array that breaks off', file: `[${object}`, place: '(line 1 column 42)' },
  { what: 'one that breaks off after a comma', file: `[\n${object},`, place: 'end of JSON input' },
  { what: 'a comma before the bracket', file: `[\r\n${object},\r\n]`, place: '},\r\n]" is not' },
  { what: 'NaN', file: `[\r${object.replace('1', ' NaN')}]`, place: '"petId": NaN,"' },
  { what: 'no JSON at all', file: '[object Object]', place: '"[object Object]"' },
  { what: 'single quotes', file: "[{'petId': 1}]", place: '(line 1 column 3)' },
  { what: 'two arrays', file: `[${object}]\n[${object}]`, place: '(line 2 column 1)' },
  {
    what: 'an object that breaks off',
    file: `${object}\n${another.slice(0, -9)}`,
    place: '(line 1 column 35)',
    entry: 2,
  },
  {
    what: 'lines with commas',
    file: `${object},\n${another}`,
    place: '(line 1 column 41)',
    entry: 1,
  },
])('a fault of JSON is named by its place: $what', async ({ file, place, entry }) => {
  const text = (await linesOf(file)).join('\n');
  const start = entry
    ? `Entry ${entry} is not valid JSON: `
    : 'The file is not a valid JSON array: ';
  expect(text.slice(0, start.length)).toBe(start);
  expect(text).toContain(place);
});

const petIdRule = 'petId must be an int64 in digits without leading zeros';
const quantityRule =
  'quantity must be an integer from 0 to 9007199254740991, in digits without leading zeros';
const statusRule = `status must be ${rules.status}`;
const nothing = 'Nothing was written.';
const none = 'is not one of petId, quantity and status; it holds';

test('all that is wrong with lines is named by their numbers', async () => {
  const file = [
    '',
    'petId,quantity,status,',
    '1,1,sold,',
    '2,2,sold,x',
    '3,3,sold,,,\u200by',
    '4',
    ',,',
    ',,sold',
    '1,1,sold',
    '5,5,"so\r\nld"',
    '\u200e1,1\u2060,available\u200b\u0007',
    `7,07,${'x'.repeat(99)}`,
    '9223372036854775808,9007199254740992,sold',
    '-9223372036854775809,-1,7.0',
  ].join('\n');
  expect(await linesOf(file)).toStrictEqual([
    `Line 4: "column 4" ${none} "x".`,
    `Line 5: "column 6" ${none} "\\u200by".`,
    `Line 6: ${quantityRule}; it is missing.`,
    `Line 6: ${statusRule}; it is missing.`,
    `Line 8: ${petIdRule}; it is missing.`,
    `Line 8: ${quantityRule}; it is missing.`,
    'Line 9: petId 1 is already in line 3.',
    `Line 10: ${statusRule}, not "so\\r\\nld".`,
    `Line 12: ${petIdRule}, not "\\u200e1".`,
    `Line 12: ${quantityRule}, not "1\\u2060".`,
    `Line 12: ${statusRule}, not "available\\u200b\\u0007".`,
    `Line 13: ${quantityRule}, not "07".`,
    `Line 13: ${statusRule}, not "${'x'.repeat(59)}….`,
    `Line 14: ${petIdRule}, not "9223372036854775808".`,
    `Line 14: ${quantityRule}, not "9007199254740992".`,
    `Line 15: ${petIdRule}, not "-9223372036854775809".`,
    `Line 15: ${quantityRule}, not "-1".`,
    `Line 15: ${statusRule}, not "7.0".`,
    nothing,
  ]);
});

test('all that is wrong with entries of JSON is named by their numbers', async () => {
  const file = `[
    null,
    17,
    {"petId":null,"quantity":[1],"status":{}},
    {"petId":3.0,"quantity":1.0000000000000000001,"status":1},
    {"__proto__":1,"a\u200b":2,${object.slice(1)},
    ${object},
    ${object}]`;
  const missing = (entry: number) =>
    [petIdRule, quantityRule, statusRule].map((rule) => `Entry ${entry}: ${rule}; it is missing.`);
  expect(await linesOf(file)).toStrictEqual([
    ...missing(1),
    ...missing(2),
    `Entry 3: ${petIdRule}, not null.`,
    `Entry 3: ${quantityRule}, not ["1"].`,
    `Entry 3: ${statusRule}, not {}.`,
    `Entry 4: ${petIdRule}, not "3.0".${hint}`,
    `Entry 4: ${quantityRule}, not "1.0000000000000000001".${hint}`,
    `Entry 4: ${statusRule}, not "1".`,
    `Entry 5: "__proto__" ${none} "1".`,
    `Entry 5: "a\\u200b" ${none} "2".`,
    'Entry 7: petId 1 is already in entry 6.',
    nothing,
  ]);
});

test.each([
  { what: 'never closed', rows: ['1,1,sold', '', '"2,2,sold', '3,3,sold'], line: 4 },
  { what: 'followed by something', rows: ['1,1,sold', '"2"x,2,sold'], line: 3 },
])('a quote that is $what is named by its line', async ({ rows, line }) => {
  expect(await linesOf(csv(...rows))).toStrictEqual([
    `Line ${line}: a quote is never closed, or something follows a closing quote.`,
    nothing,
  ]);
});

test('of many problems, the first 20 are named, and the others counted by column', async () => {
  const rows = Array.from({ length: 1_000 }, (_row, index) => `${index},x,Available,y`);
  const lines = await linesOf(csv('x,1,sold', ...rows));
  expect(lines).toHaveLength(22);
  expect(lines.slice(-2)).toStrictEqual([
    'And 2,981 more, 994 of status, 994 of other columns, 993 of quantity.',
    nothing,
  ]);
});

const hint =
  ' A spreadsheet may have changed it: format the column as text, and enter the number again, in ' +
  'the digits 0 to 9, with - in front if it is negative.';

test.each([
  ...['9.0072E+15', '9.0072e15', '9,0072E+15', '.9E−16', '9٫0072E+15', '="9.0072E+15"', '####'],
  ...['="9007199254740993"', "'9007199254740993", '=9007199254740993', '’9007199254740993'],
  ...[
    '1,234,567',
    '1.234.567',
    '1\u202f234\u00a0567',
    '1’234.00',
    '١٬٢٣٤',
    '7.0',
    '+7',
    '７',
    '–7',
  ],
  ...['(1,234)', '$1,234.00', '1.234,00 €', '700%', '01/07/2024', '＋7', '„7“', '=("7")'],
])('what a spreadsheet does to a number has a hint: %s', async (cell) => {
  const [problem = ''] = await linesOf(`petId;quantity;status\n${cell};1;sold`);
  expect(problem.endsWith(hint)).toBe(true);
});

test.each([
  ['7.0', 7],
  ['0.000', 0],
  ['9007199254740991.0', 9_007_199_254_740_991],
])('a whole quantity may have decimals: %s', async (numeral, quantity) => {
  const json = `[{"petId":1,"quantity":${numeral},"status":"sold"}]`;
  expect(await linesOf(json)).toStrictEqual([`1,${quantity},sold`]);
  expect(await linesOf(csv(`1,${numeral},sold`))).toStrictEqual([`1,${quantity},sold`]);
});

test.each(['7.5', '7.', '.0', '07.0', '9007199254740992.0', '1.0000000000000000001'])(
  'a quantity is never rounded: %s',
  async (numeral) => {
    const [problem = ''] = await linesOf(csv(`1,${numeral},sold`));
    expect(problem).toContain(`Line 2: ${quantityRule}, not "${numeral}".`);
  },
);

test.each(['007', '-0', '9223372036854775808', '0x1F', 'E', '---', 'seven'])(
  'what no spreadsheet does has no hint: %s',
  async (cell) => {
    expect(await linesOf(csv(`${cell},1,sold`))).toStrictEqual([
      `Line 2: ${petIdRule}, not "${cell}".`,
      nothing,
    ]);
  },
);

test.each([
  { what: 'none', petIds: [], count: 0 },
  { what: '15 digits', petIds: [1n, 100_000_000_000_000n], count: 0 },
  {
    what: '16 and 19, not 15',
    petIds: [123_456_789_012_345n, 9_007_199_254_740_990n, -9_223_372_036_854_770_000n],
    count: 2,
  },
  {
    what: 'one that ends in 3',
    petIds: [9_007_199_254_740_990n, 9_007_199_254_740_993n],
    count: 0,
  },
  { what: '16 digits of 17', petIds: [90_071_992_547_409_930n], count: 0 },
  {
    what: '17 of 19, as of jq',
    petIds: [9_007_199_254_740_993n, 9_223_372_036_854_776_000n],
    count: 1,
  },
])('how many petIds seem rounded: $what', ({ petIds, count }) => {
  expect(roundedPetIds(petIds)).toBe(count);
});

test('a character may come in two chunks', async () => {
  const [start, end] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
  expect(await linesOf('petId,quantity,status\n1,1,', start, end)).toStrictEqual([
    `Line 2: ${statusRule}, not "é".`,
    nothing,
  ]);
});

test.each([
  { what: 'UTF-16', bytes: Buffer.from(`\ufeff${both}`, 'utf16le') },
  { what: 'a workbook', bytes: Buffer.from('PK\u0003\u0004\u0014\u0000\u0006') },
])('$what is no text', async ({ bytes }) => {
  expect(await linesOf(bytes)).toStrictEqual([
    'The file is not UTF-8 text: it may be a workbook or UTF-16. Save it as CSV in UTF-8.',
  ]);
});

test.each([
  { what: 'gzip', start: [0x1f, 0x8b, 8], unpack: 'gunzip' },
  { what: 'bzip2', start: [...Buffer.from('BZh9')], unpack: 'bunzip2' },
  { what: 'xz', start: [0xfd, ...Buffer.from('7zXZ'), 0], unpack: 'unxz' },
  { what: 'zstd', start: [0x28, 0xb5, 0x2f, 0xfd], unpack: 'unzstd' },
])('a file that $what has compressed has to be unpacked', async ({ start, unpack }) => {
  expect(await linesOf(Buffer.from([...start, 0, 0]))).toStrictEqual([
    `The file is compressed. Unpack it first: ${unpack} FILE`,
  ]);
});

test.each(['\u001a', '\u001a\r\n', '\0'.repeat(99), '\u001a\0\0\n'])(
  'what old editors leave at the end is ignored: %j',
  async (end) => {
    const read = await readText('-', Readable.from([Buffer.from(csv('1,1,sold') + end)]));
    expect(read).toBe(csv('1,1,sold'));
  },
);

test.each([
  { what: 'Ctrl-Z', text: 'petId,quantity,status\n1,1,sold\u001a\n2,1,sold\n' },
  { what: 'NUL', text: 'petId,quantity,status\r\n1,1,\0sold\r\n' },
])('a $what anywhere else is named by its line', async ({ text }) => {
  expect(await linesOf(text)).toStrictEqual([
    'Line 2 has a NUL or a Ctrl-Z in it, so the file may be damaged. Save it as CSV in UTF-8.',
  ]);
});

const [wrong, half] = [Buffer.from([0xe9]), Buffer.from('é').subarray(0, 1)];

test.each([
  { what: 'Latin-1', bytes: [Buffer.from(csv('1,1,é'), 'latin1')], line: 2, after: '1,1,' },
  {
    what: 'a byte in the middle',
    bytes: ['1,1,sold\n'.repeat(50_000), wrong, '1,1,sold\n'.repeat(50_000)],
    line: 50_001,
    after: '',
  },
  { what: 'a byte after CRLF', bytes: ['x\r\n\r\n7,é', wrong, 'y\r\n'], line: 3, after: '7,é' },
  { what: 'a byte after CR', bytes: ['x\r\r7', wrong, 'y\r'], line: 3, after: '7' },
  { what: 'half a character', bytes: ['x\n', half], line: 2, after: '' },
  { what: 'a byte in a long line', bytes: ['x'.repeat(99), wrong], line: 1, after: 'x'.repeat(40) },
])('what is not in UTF-8 is named by its line: $what', async ({ bytes, line, after }) => {
  expect(await linesOf(...bytes)).toStrictEqual([
    `Line ${line} is not UTF-8 text, after "${after}". Save it as CSV in UTF-8.`,
    'If it is in Windows-1252 (Latin-1): iconv -f WINDOWS-1252 -t UTF-8 FILE > utf-8.csv',
  ]);
});

test('a key in a file is not shown, although a message holds only a part of the text', async () => {
  const apiKey = createApiKey('prod');
  const digits = apiKey.slice(-48);
  expect(await linesOf(csv(`1,1,the key of the shop: ${digits}`))).toStrictEqual([
    `Line 2: ${statusRule}, not "the key of the shop: …"….`,
    nothing,
  ]);
  const [problem] = await linesOf(`${apiKey} of M`, wrong);
  expect(problem).toBe(
    'Line 1 is not UTF-8 text, after "petstore_prod_… of M". Save it as CSV in UTF-8.',
  );
});

test('a directory is named, and not read', async () => {
  await expect(readText('/', Readable.from([]))).rejects.toThrow(
    /^\/ is a directory, not a file\.$/,
  );
});

test('standard input is not read beyond what an import takes', async () => {
  let chunks = 0;
  const endless = function* () {
    for (const chunk = Buffer.alloc(10_000_000, '1,1,sold\n'); ; chunks += 1) {
      yield chunk;
    }
  };
  await expect(readText('-', Readable.from(endless()))).rejects.toThrow(
    'The file has more than 250,000,000 bytes. An import takes at most 250,000,000.\n' +
      'Split it, and import one part after the other. Each part of CSV needs the first line.',
  );
  expect(chunks).toBeLessThan(50);
});
