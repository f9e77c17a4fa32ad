import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { petStatuses } from '../../../functions/inventory/item.ts';
import { parseItems } from '../../../ops/inventory/parse-items.ts';
import { csv } from '../../support/ops/inventory.ts';

const header = 'petId,quantity,status\n';
const object = '{"petId":1,"quantity":1,"status":"sold"}';

/** Returns each entry as `1,7,sold`, or the lines that say what is wrong. */
const parsed = (text: string): string[] => {
  try {
    return parseItems(text).map(({ petId, quantity, status }) => [petId, quantity, status].join());
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

const ends = ['-9223372036854775808,0,pending', '9223372036854775807,9007199254740991,sold'];
const both = csv(...ends);

test.each([
  { what: 'each line break once', file: both.replace('\n', '\r').replace('\n', '\r\n') },
  { what: 'names in any case', file: both.replace('petId,quantity', ' PETID , " Quantity " ') },
  { what: 'a line sep=; for Excel', file: `sep=;\r\n${both.replaceAll(',', ';')}` },
  { what: 'a line sep=; but commas', file: `sep=;\r\n${both}` },
  {
    what: 'the first line of PowerShell',
    file: `#TYPE A\`2[[B, C]]\r\n${both.replaceAll(',', ';')}`,
  },
  { what: 'that line in quotes', file: `"#TYPE System.Object"\r\n${both}` },
  { what: 'blank lines before its first', file: `\n\t\n ;\n${both}` },
  {
    what: 'rows of any separators and blanks',
    file: both.replaceAll('\n', '\n,,\n;;\n\t\n ,\u00a0\n'),
  },
  { what: 'rows of quotes with nothing in them', file: both.replaceAll('\n', '\n"","\u200b"\n') },
  { what: 'thousands of rows of separators', file: both + ',,\r\n'.repeat(5_000) },
  { what: 'a last separator in its first line', file: both.replace('\n', ',\n') },
  { what: 'last separators in rows', file: both.replaceAll(/(pending|sold)/g, '$1,,') },
])('CSV with $what', ({ file }) => expect(parsed(file)).toStrictEqual(ends));

const petIdRule = 'petId must be an int64 in digits without leading zeros';
const quantityRule =
  'quantity must be an integer from 0 to 9007199254740991, in digits without leading zeros';
const statusRule = 'status must be available, pending or sold';
const nothing = 'Nothing was written.';

const decorated =
  'Write it in digits from 0 to 9, after - if it is negative: no quotes, separators or decimals.';

test('all that is wrong with cells is named by their lines, in any line and of any length', () => {
  const x39 = 'x'.repeat(39);
  const file = [
    '',
    'petId,quantity,status,',
    '1,1,sold,',
    '2,2,sold,x',
    '3,3,sold,,,\u200by',
    '4',
    ',,',
    ',2,',
    '1,1,sold',
    '5,5,"so\r\nld"',
    '6,6,"a\rb\nc"',
    '\u200e1,1\u2060,available\u200b\u0007',
    `7,7,${x39}\u{1f600}`,
    `8,8,${x39}\u{1f600}y`,
    '9223372036854775808,9007199254740992,sold',
    '-9223372036854775809,-1,7.0',
    '="7",7.0,sold',
  ].join('\n');
  expect(parsed(file)).toStrictEqual([
    'Line 4: column 4 has no name, and holds "x".',
    'Line 5: column 6 has no name, and holds "\\u200by".',
    `Line 6: ${quantityRule}; it is missing.`,
    `Line 6: ${statusRule}; it is missing.`,
    `Line 8: ${petIdRule}; it is missing.`,
    `Line 8: ${statusRule}; it is missing.`,
    'Line 9: petId 1 is in line 3 already.',
    `Line 10: ${statusRule}, not "so\\r\\nld".`,
    `Line 12: ${statusRule}, not "a\\rb\\nc".`,
    `Line 15: ${petIdRule}, not "\\u200e1".`,
    `Line 15: ${quantityRule}, not "1\\u2060".`,
    `Line 15: ${statusRule}, not "available\\u200b\\u0007".`,
    `Line 16: ${statusRule}, not "${x39}\u{1f600}".`,
    `Line 17: ${statusRule}, not "${x39}\u{1f600}…".`,
    `Line 18: ${petIdRule}, not "9223372036854775808".`,
    `Line 18: ${quantityRule}, not "9007199254740992".`,
    `Line 19: ${petIdRule}, not "-9223372036854775809".`,
    `Line 19: ${quantityRule}, not "-1".`,
    `Line 19: ${statusRule}, not "7.0".`,
    `Line 20: ${petIdRule}, not "=\\"7\\"". ${decorated}`,
    'And 1 more, 1 of quantity.',
    nothing,
  ]);
});

test.each([
  {
    what: 'another separator than in its first line',
    file: 'petId;quantity;status\n1,1;sold\n',
    lines: [
      `Line 2: ${petIdRule}, not "1,1".`,
      `Line 2: ${quantityRule}, not "sold".`,
      `Line 2: ${statusRule}; it is missing.`,
    ],
  },
  {
    what: 'a line sep=; among its rows',
    file: 'petId;quantity;status\nsep=;',
    lines: [
      `Line 2: ${petIdRule}, not "sep=".`,
      `Line 2: ${quantityRule}; it is missing.`,
      `Line 2: ${statusRule}; it is missing.`,
    ],
  },
  {
    what: 'a quote that nothing closes',
    file: `${header}1,1,sold\n\n"2,2,sold\n3,3,sold\n`,
    lines: ['Line 4: a quote is opened and never closed.'],
  },
  {
    what: 'more after a closing quote',
    file: `${header}1,1,sold\n"2"x,2,sold\n`,
    lines: ['Line 3: something follows a closing quote.'],
  },
])('CSV with $what', ({ file, lines }) => {
  expect(parsed(file)).toStrictEqual([...lines, nothing]);
});

const [first, last] = [
  '{"petId":-9223372036854775808,"quantity":0,"status":"pending"}',
  '{"petId":9223372036854775807,"quantity":9007199254740991,"status":"sold"}',
];
const notObject = 'it must be an object with petId, quantity and status, not';

test.each([
  {
    what: 'numbers as texts',
    file: `[${first},${last}]`.replaceAll(/-?\d+/g, '"$&"'),
    lines: ends,
  },
  {
    what: 'white space',
    file: `\n [\n ${object.replaceAll(':', '\n:\t')}\r\n]`,
    lines: ['1,1,sold'],
  },
  { what: 'escapes', file: `[${object.replace('petId', '\\u0070etId')}]`, lines: ['1,1,sold'] },
  {
    what: 'a member twice, as for the API',
    file: `[{"petId":9,${object.slice(1)}]`,
    lines: ['1,1,sold'],
  },
  { what: 'no entries', file: ' [ ]\n', lines: [] },
  {
    what: 'numbers that a double would round',
    file: '[{"petId":3.0,"quantity":1.0000000000000000001,"status":"sold"}]',
    lines: [
      `Entry 1: ${petIdRule}, not "3.0". ${decorated}`,
      `Entry 1: ${quantityRule}, not "1.0000000000000000001".`,
      nothing,
    ],
  },
  {
    what: 'values of other types',
    file: '[{"petId":null,"quantity":[1],"status":{}},{"petId":true,"quantity":"","status":1}]',
    lines: [
      `Entry 1: ${petIdRule}, not null.`,
      `Entry 1: ${quantityRule}, not an array.`,
      `Entry 1: ${statusRule}, not an object.`,
      `Entry 2: ${petIdRule}, not true.`,
      `Entry 2: ${quantityRule}; it is missing.`,
      `Entry 2: ${statusRule}, not "1".`,
      nothing,
    ],
  },
  {
    what: 'what is no entry',
    file: `[null,17,"a",[${object}],${object},${object}]`,
    lines: [
      `Entry 1: ${notObject} null.`,
      `Entry 2: ${notObject} "17".`,
      `Entry 3: ${notObject} "a".`,
      `Entry 4: ${notObject} an array.`,
      'Entry 6: petId 1 is in entry 5 already.',
      nothing,
    ],
  },
  {
    what: 'other properties',
    file: `[{"__proto__":1,"a\u200b":2,${object.slice(1)}]`,
    lines: [
      'Entry 1: there is no property "__proto__".',
      'Entry 1: there is no property "a\\u200b".',
      nothing,
    ],
  },
])('JSON with $what', ({ file, lines }) => expect(parsed(file)).toStrictEqual(lines));

const invalid = 'The file is not a valid JSON array:';

test.each([
  {
    file: `[${object}`,
    line: `${invalid} Expected ',' or ']' after array element in JSON at position 41 (line 1 column 42)`,
  },
  {
    file: '[]\n[]',
    line: `${invalid} Unexpected non-whitespace character after JSON at position 3 (line 2 column 1)`,
  },
  {
    file: '[{"a\u200b":x}]',
    line: `${invalid} Unexpected token 'x', "[{"a\\u200b":x}]" is not valid JSON`,
  },
])('$file is no JSON', ({ file, line }) => expect(parsed(file)).toStrictEqual([line]));

const arrayWanted =
  'The file is JSON, but an import takes an array of entries, as the API prints it; ' +
  'jq -s . FILE makes an array of objects in a row.';

test.each([
  { what: 'an object', file: `{\n  "items": [\n    ${object}\n  ]\n}\n` },
  { what: 'a scan of DynamoDB', file: '{\n "Items": [{"petId": {"N": "1"}}],\n "Count": 1\n}' },
  { what: 'an object on each line', file: `${object}\n${object}\n` },
  { what: 'objects over several lines', file: `{\n"petId": 1\n}\n{\n"petId": 2\n}` },
  { what: 'an object without an end', file: `{ "items":[${object}` },
  { what: 'no members', file: '{}' },
  { what: 'a large object', file: JSON.stringify({ items: Array(100_000).fill(1) }, null, 2) },
])('for $what, one sentence says that an array is wanted', ({ file }) => {
  expect(parsed(file)).toStrictEqual([arrayWanted]);
});

test.each([
  { what: 'entries without names', file: '1,1,sold\n2,2,sold\n', begins: '1,1,sold' },
  { what: 'a missing column', file: 'petId,quantity\n', begins: 'petId,quantity' },
  {
    what: 'an unknown column',
    file: `${header.trim()},colour\n`,
    begins: 'petId,quantity,status,colour',
  },
  { what: 'a column twice', file: 'petId,quantity,petid\n', begins: 'petId,quantity,petid' },
  { what: 'another separator', file: 'petId|quantity|status', begins: 'petId|quantity|status' },
  { what: 'a mark in its middle', file: 'pet\u200bId,quantity', begins: 'pet\\u200bId,quantity' },
  { what: 'another value of JSON', file: ' null\n', begins: 'null' },
  { what: 'RTF', file: '{\\rtf1\\ansi petId', begins: '{\\\\rtf1\\\\ansi petId' },
  { what: 'HTML', file: '<!doctype html>\n<p class="x">', begins: '<!doctype html>' },
])('a first line with $what is shown', ({ file, begins }) => {
  expect(parsed(file)).toStrictEqual([
    'The file is neither a JSON array, nor CSV whose first line names the columns petId, ' +
      'quantity and status, separated by commas, semicolons or tabs: ' +
      `it begins with "${begins}".`,
  ]);
});

test.each(['', ' \r\n\t\n', ',,\n;;', '"",""\n'])('%j is empty', (file) => {
  expect(parsed(file)).toStrictEqual(['The file is empty.']);
});

test('of many problems, the first 20 are named, and the others counted by column', () => {
  const rows = Array.from({ length: 1_000 }, (_row, index) => `${index},x,lost,y`);
  const lines = parsed(csv('x,1,sold', ...rows, '1,1,sold'));
  expect(lines).toHaveLength(22);
  expect(lines.slice(-2)).toStrictEqual([
    'And 2,981 more, 994 of status, 994 of columns without a name, 993 of quantity.',
    nothing,
  ]);
});

/** Any inventory, each entry as its cells by column. */
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
  last: fc.constantFrom('', '\n', '\n,,;;\n\n'),
});

test('the same entries in any dialect of CSV are the same items', () => {
  const property = fc.property(anyInventory, anyDialect, (inventory, dialect) => {
    const { separator, lineBreak, columns, cellOf, last } = dialect;
    const rowOf = (row: Record<string, string>) =>
      columns.map((column) => cellOf(row[column] ?? '')).join(separator);
    const names = { petid: 'petId', quantity: 'QUANTITY', status: 'status' };
    const file = [names, ...inventory].map(rowOf).join(lineBreak) + last;
    expect(parsed(file)).toStrictEqual(
      inventory.map(({ petid, quantity, status }) => [petid, quantity, status].join()),
    );
  });
  fc.assert(property);
});

test('the same entries as JSON are the same items', () => {
  const property = fc.property(anyInventory, fc.constantFrom(0, 2), (inventory, space) => {
    const raw = inventory.map(({ petid, quantity, status }) => {
      return { status, petId: JSON.rawJSON(petid), quantity: JSON.rawJSON(quantity) };
    });
    expect(parsed(JSON.stringify(raw, null, space))).toStrictEqual(
      inventory.map(({ petid, quantity, status }) => [petid, quantity, status].join()),
    );
  });
  fc.assert(property);
});
