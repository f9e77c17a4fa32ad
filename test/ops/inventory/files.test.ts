import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { petStatuses } from '../../../functions/inventory/item.ts';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { columns, readItems } from '../../../ops/inventory/read-items.ts';
import { csv } from '../../support/ops/inventory.ts';

type Entry = Record<'petId' | 'quantity' | 'status', unknown>;
const entryOf = ({ petId, quantity, status }: Entry): string => [petId, quantity, status].join();

/** Returns what an import reads: each entry as `1,7,sold`, or the lines that say what is wrong. */
const linesOf = async (file: string | Buffer): Promise<string[]> => {
  const warnings: string[] = [];
  const bytes = Buffer.from(file as string);
  const terminal = {
    // A file may arrive in parts, also of one character.
    stdin: Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]),
    stderr: { write: (text: string) => warnings.push(text.trimEnd()) },
  } as unknown as Parameters<typeof readItems>[0];
  try {
    const items = await readItems(terminal, '-');
    return [...warnings, ...items.map(entryOf)];
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
  { what: 'CSV with a byte order mark', file: `\ufeff${both}` },
  { what: 'CSV after blank lines', file: `\n \t\n,,\n${both}` },
  { what: 'CSV with blank rows', file: both.replaceAll('\n', '\n,,\n\n  \n"",,\n') },
  { what: 'JSON', file: `[${first},${last}]` },
  { what: 'JSON with numbers as texts', file: `[${first},${last}]`.replaceAll(/-?\d+/g, '"$&"') },
  { what: 'an object on each line', file: `${first}\r\n\n${last}\n` },
])('$what is read', async ({ file }) => expect(await linesOf(file)).toStrictEqual(ends));

const anyInventory = fc.uniqueArray(
  fc.record({
    petId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    quantity: fc.maxSafeNat().map(String),
    status: fc.constantFrom(...petStatuses),
  }),
  { selector: ({ petId }) => petId, minLength: 1 },
);

/** How programs write the same rows. */
const anyDialect = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  names: fc.shuffledSubarray(['petId', 'QUANTITY', 'status', ''], { minLength: 4 }),
  cellOf: fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => ` ${text} `,
    (text) => `"${text}"`,
  ),
});

test('the same entries in any dialect of CSV are the same items', async () => {
  const property = fc.asyncProperty(anyInventory, anyDialect, async (inventory, dialect) => {
    const { separator, lineBreak, names, cellOf } = dialect;
    const rows = inventory.map((each) => ({ ...each, QUANTITY: each.quantity, '': '' }));
    const lines = [names, ...rows.map((row) => names.map((name) => row[name as keyof typeof row]))];
    const file = lines.map((cells) => cells.map(cellOf).join(separator)).join(lineBreak);
    const read = (await linesOf(file)).filter((line) => !line.startsWith('Warning'));
    expect(read).toStrictEqual(inventory.map(entryOf));
  });
  await fc.assert(property);
});

const petIdRule = 'petId must be an int64 in digits without leading zeros';
const quantityRule =
  'quantity must be an integer from 0 to 9007199254740991, in digits without leading zeros';
const statusRule = `status must be ${columns.status.rule}`;
const nothing = 'Nothing was written.';
const none = 'is none of petId, quantity, status';

test.each(['', ' \r\n\n', ',,\n', '""\n;;'])('%j is empty, and may be a mistake', async (file) => {
  expect(await linesOf(file)).toStrictEqual(['The file is empty.']);
});

test.each(['petId,quantity,status\n', '[]'])(
  '%j is what an empty inventory is exported to',
  async (file) => {
    expect(await linesOf(file)).toStrictEqual([]);
  },
);

test.each([
  'petId,quantity\n1,1\n',
  'petId,quantity,status,note\n1,1,sold,\n',
  'petId,quantity,kind\n1,1,sold\n',
  'petId,petid,quantity,status\n1,1,1,sold\n',
  'petId|quantity|status\n1|1|sold\n',
  'petId,quantity;status\n1,1;sold\n',
  '1,1,sold\n2,2,sold\n',
])('a first line that does not name just the columns: %j', async (file) => {
  expect(await linesOf(file)).toStrictEqual([
    'The file is neither JSON nor CSV whose first line names just petId, quantity, status.',
  ]);
});

test('all that is wrong with lines is named by their numbers', async () => {
  const lines = await linesOf(
    '\npetId,quantity,status,\n1,1,sold,\n2,2,sold,x\n,,,\n,,sold,\n1,1,sold,\n5,5,"so\nld",\n' +
      `\u200e1,1\u2060,available\u0007,\n7,07,${'x'.repeat(99)},\n` +
      '9223372036854775808,9007199254740992,sold,\n-9223372036854775809,-1,7.0,\n',
  );
  expect(lines).toStrictEqual([
    `Line 4: "column 4" ${none}.`,
    `Line 6: ${petIdRule}, not "".`,
    `Line 6: ${quantityRule}, not "".`,
    'Line 7: petId 1 is already in line 3.',
    `Line 9: ${statusRule}, not "so\\nld".`,
    `Line 10: ${petIdRule}, not "\u200e1".`,
    `Line 10: ${quantityRule}, not "1\u2060".`,
    `Line 10: ${statusRule}, not "available\\u0007".`,
    `Line 11: ${quantityRule}, not "07".`,
    `Line 11: ${statusRule}, not "${'x'.repeat(59)}.`,
    `Line 12: ${petIdRule}, not "9223372036854775808".`,
    `Line 12: ${quantityRule}, not "9007199254740992".`,
    `Line 13: ${petIdRule}, not "-9223372036854775809".`,
    `Line 13: ${quantityRule}, not "-1".`,
    `Line 13: ${statusRule}, not "7.0".`,
    nothing,
  ]);
});

test('all that is wrong with entries of JSON is named by their numbers', async () => {
  const object = '{"petId":1,"quantity":1,"status":"sold"}';
  const lines = await linesOf(
    `[null, 17, {"petId":["2"],"quantity":[1],"status":{}},
      {"petId":3.0,"quantity":1.0000000000000000001,"status":1},
      {"__proto__":1,"toString":2,${object.slice(1)}, ${object}, ${object}]`,
  );
  expect(lines).toStrictEqual([
    'Entry 1 is no object.',
    'Entry 2 is no object.',
    `Entry 3: ${petIdRule}, not ["2"].`,
    `Entry 3: ${quantityRule}, not ["1"].`,
    `Entry 3: ${statusRule}, not {}.`,
    `Entry 4: ${petIdRule}, not "3.0".`,
    `Entry 4: ${quantityRule}, not "1.0000000000000000001".`,
    `Entry 4: ${statusRule}, not "1".`,
    `Entry 5: "__proto__" ${none}.`,
    `Entry 5: "toString" ${none}.`,
    'Entry 7: petId 1 is already in entry 6.',
    nothing,
  ]);
});

test('what is wrong with an object on a line is named by the number of the line', async () => {
  expect(await linesOf(`${first}\n\n7\n[]\n${first}\n${last}`)).toStrictEqual([
    'Line 3 is no object.',
    'Line 4 is no object.',
    'Line 5: petId -9223372036854775808 is already in line 1.',
    nothing,
  ]);
});

// csv-parse and V8 say what is wrong, and where.
test.each([
  { what: 'a quote that is never closed', file: csv('1,1,sold', '"2,2,sold'), says: /line 3/ },
  { what: 'a line that is too short', file: csv('1,1,sold', '2,2'), says: /got 2 on line 3/ },
  { what: 'a line that is too long', file: csv('1,1,sold', '2,2,sold,x'), says: /got 4 on line 3/ },
  {
    what: 'an array that breaks off',
    file: `[${first}`,
    says: /^The file is not valid JSON: .* position 63$/,
  },
  {
    what: 'an array of lines that breaks off',
    file: `[${first},\n${last}`,
    says: /^The file is not valid JSON: .*\(line 2 column \d+\)$/,
  },
  { what: 'lines with commas', file: `${first},\n${last}`, says: /^Line 1 is not valid JSON: / },
])('$what is refused, and nothing is written', async ({ file, says }) => {
  const [problem, end] = await linesOf(file);
  expect(problem).toMatch(says);
  expect(end).toBe(nothing);
});

test.each([
  { what: 'UTF-16', bytes: Buffer.from(`\ufeff${both}`, 'utf16le') },
  { what: 'Latin-1', bytes: Buffer.from(csv('1,1,é'), 'latin1') },
  { what: 'a NUL', bytes: Buffer.from(csv('1,1,\0sold')) },
])('$what is no text', async ({ bytes }) => {
  expect(await linesOf(bytes)).toStrictEqual([
    'The file is not text in UTF-8. Save it as CSV in UTF-8.',
  ]);
});

test('of many problems, the first 20 are named, and the others counted', async () => {
  const rows = Array.from({ length: 1_000 }, (_row, index) => `${index},x,Available`);
  const lines = await linesOf(csv(...rows));
  expect(lines).toHaveLength(22);
  expect(lines.slice(-2)).toStrictEqual(['And 1980 more.', nothing]);
});

test('a whole quantity may have decimals', async () => {
  const json = '[{"petId":1,"quantity":9007199254740991.0,"status":"sold"}]';
  expect(await linesOf(json)).toStrictEqual(['1,9007199254740991,sold']);
  expect(await linesOf(csv('1,7.0,sold', '2,0.0,sold'))).toStrictEqual(['1,7,sold', '2,0,sold']);
});

test('a quantity is never rounded', async () => {
  const numerals = '12.000 7.00 7.5 7. .0 07.0 9007199254740992.0 1.0000000000000000001 1e3 +7';
  const lines = await linesOf(csv(...numerals.split(' ').map((numeral) => `1,${numeral},sold`)));
  expect(lines).toStrictEqual([
    ...numerals
      .split(' ')
      .map((numeral, index) => `Line ${index + 2}: ${quantityRule}, not "${numeral}".`),
    nothing,
  ]);
});

test.each([
  { what: '15 digits', petIds: ['1', '100000000000000'], warns: false },
  {
    what: 'all that are longer',
    petIds: ['123456789012345', '9007199254740990', '-9223372036854770000'],
    warns: true,
  },
  { what: 'not all', petIds: ['9007199254740990', '9007199254740993'], warns: false },
])('petIds that a spreadsheet rounded are told: $what', async ({ petIds, warns }) => {
  const [line = ''] = await linesOf(csv(...petIds.map((petId) => `${petId},1,sold`)));
  expect(line.startsWith('Warning: all petIds of more than 15 digits end in zeros.')).toBe(warns);
});

test('a key in a file is not shown, although a message holds only a part of the text', async () => {
  const apiKey = createApiKey('prod');
  const text = `the key of the shop, which is private: ${apiKey}`;
  expect(await linesOf(csv(`1,1,"${text}"`))).toStrictEqual([
    `Line 2: ${statusRule}, not "the key of the shop, which is private: petstore_prod_…".`,
    nothing,
  ]);
});
