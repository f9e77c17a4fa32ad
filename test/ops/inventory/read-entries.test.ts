import { describe, expect, test } from '@jest/globals';
import { CliError } from '../../../ops/cli/cli-error.ts';
import { checkEntry, Numeral } from '../../../ops/inventory/check-entry.ts';
import { type Format, openSource } from '../../../ops/inventory/read-entries.ts';
import { isLinear } from '../../support/linear.ts';

/** What is read of a file that comes in chunks: the values or the problems of each entry, and why reading ended early. */
const read = async (file: string | Buffer, size = 65_536, format?: Format): Promise<string[]> => {
  const bytes = Buffer.from(file as Buffer);
  const chunks = async function* () {
    for (let i = 0; i < bytes.length; i += size) {
      yield bytes.subarray(i, i + size);
    }
  };
  const found: string[] = [];
  try {
    const source = await openSource(chunks(), format);
    await source.read((place, entry) => {
      const texts = Array.isArray(entry) ? entry.map(({ reason }) => reason) : [Object.values(entry).join()];
      found.push(...texts.map((text) => `${source.unit} ${place}: ${text}`));
    });
  } catch (error) {
    expect(error).toMatchObject({ name: CliError.name, code: 'invalid' });
    found.push((error as Error).message);
  }
  return found;
};

const header = 'petId,quantity,status\n';
const row = '1,1,sold\n';
const entry = '{"petId":1,"quantity":1,"status":"sold"}';
const pets = `${header}-9223372036854775808,0,pending\n9007199254740993,9007199254740991,sold\n`;
const exact = ['line 2: -9223372036854775808,0,pending', 'line 3: 9007199254740993,9007199254740991,sold'];
const [line1, line2, element1] = ['line 1: 1,1,sold', 'line 2: 1,1,sold', 'element 1: 1,1,sold'];

test.each<[what: string, text: string | Buffer, ...expected: string[]]>([
  ['every digit', pets, ...exact],
  ['a byte order mark', `\ufeff${header}${row}`, line2],
  ['a byte order mark before JSON', `\ufeff[${entry}]`, element1],
  ['a byte order mark before NDJSON', `\ufeff${entry}`, line1],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${pets}`, 'utf16le'), ...exact],
  ['CR', pets.replaceAll('\n', '\r'), ...exact],
  ['CRLF and quotes', pets.replaceAll(/([^,\n]+)([,\n])/g, '"$1"$2').replaceAll('\n', '\r\n'), ...exact],
  [
    'CR, LF and CRLF mixed',
    `${header}1,1,sold\r\n\r\n\n1,2,sold\r3,4,sold`,
    line2,
    'line 5: 1,2,sold',
    'line 6: 3,4,sold',
  ],
  ['another order of columns', pets.replace(/^(\S+?),(\S+?),(\S+?)$/gm, '$3,$1,$2'), ...exact],
  ['blank lines', `\n\n${header}\n\n${row}\n\n`, 'line 6: 1,1,sold'],
  ['blank lines and CRLF in NDJSON', `\r\n${entry}\r\n\r\n${entry}`, line2, 'line 4: 1,1,sold'],
  ['escapes in NDJSON', `${entry.replace('sold', 's\\u006fld')}\n`, line1],
  ['escapes in JSON', `[{"\\u0070etId":1,"quantity":1e0,"status":"s\\u006fld"}]`, element1],
  ['an array in many lines', `\n[\n ${entry}\n, ${entry.replaceAll(':', '\n:\n')}]\n`, element1, 'element 2: 1,1,sold'],
  ['a header and no entry', header],
  ['an empty array', ' [ ]\n'],
])('reads a file with %s', async (_what, text, ...expected) => expect(await read(text)).toEqual(expected));

test.each<[text: string, format: Format, ...expected: string[]]>([
  ['', 'ndjson'],
  ['\n\n', 'ndjson'],
  ['5', 'json', 'A JSON file must be one array of entries.'],
  ['"x"', 'json', 'A JSON file must be one array of entries.'],
  ['{}', 'json', 'A JSON file must be one array of entries.'],
])('reads %j as %s, if it is said to be that', async (text, format, ...expected) => {
  expect(await read(text, 1, format)).toEqual(expected);
});

const long = 'x'.repeat(300_000);
const quotes = 'a quote is not closed or is inside a cell, or this is too long to be an entry.';
const tooLong = 'this is too long to be an entry.';
const [invalidLine, invalidElement] = ['This is not valid JSON.', 'this is not valid JSON.'];
const columns = 'Line 1: a CSV file must begin with the columns petId,quantity,status,';
const petId =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const quantity = 'quantity must be an integer from 0 to 9007199254740991';
const status = 'status must be available, pending or sold';
const object = 'An entry must be an object with petId, quantity and status, not';
const missing = (place: string) => [petId, quantity, status].map((rule) => `${place}: ${rule}; it is missing.`);
const wrongRows = `${header}2,-1,sold\n01,1.5,gone\n9223372036854775808,,sold\n6,9007199254740992,sold\n=1+1,many,
10,1e2,pending\n11,4503599627370496.4999999999,pending\n`;
const wrongElements = `[{"petId": "2", "quantity": true, "status": null}, {"petId": 3.0, "quantity": [1], "status": {}}]`;
const unknown = (place: string, name: string) => [
  ...missing(place),
  `${place}: "${name}" is not a property of an entry.`,
];

test.each<[what: string, text: string | Buffer, ...expected: string[]]>([
  ['nothing', '', 'The file is empty.'],
  ['nothing but blanks', ' \n\r\n\t', 'The file is empty.'],
  ['300 kB of blanks', ' '.repeat(300_000), 'The file is empty.'],
  ['NUL bytes', '\0'.repeat(100), `${columns} not "${'\\u0000'.repeat(40)}".`],
  ['a NUL in a cell', `${header}1,\u00001,sold\n`, `line 2: ${quantity}, not "\\u00001".`],
  ['bad UTF-8 in a cell', Buffer.from(`${header}1,1,so\xffld\n`, 'latin1'), `line 2: ${status}, not "so\ufffdld".`],
  ['bad UTF-8 in JSON', Buffer.from(`[{"\xff":1}]`, 'latin1'), `Element 1: ${invalidElement}`],
  ['semicolons', pets.replaceAll(',', ';'), `${columns} separated by commas, not by semicolons.`],
  ['tabs', pets.replaceAll(',', '\t'), `${columns} separated by commas, not by tabs.`],
  ['other columns', 'id,quantity\n1,2\n', `${columns} not "id,quantity".`],
  ['a column twice', `petId,${header}`, `${columns} not "petId,petId,quantity,status".`],
  ['a trailing comma in its header', 'petId,quantity,status,\n', `${columns} not "petId,quantity,status,".`],
  [
    'a trailing comma',
    `${header}1,1,sold,\n1,1\n`,
    ...[4, 2].map((n, i) => `line ${i + 2}: There must be 3 cells, not ${n}.`),
  ],
  [
    'wrong cells',
    wrongRows,
    `line 2: ${quantity}, not -1.`,
    ...[`${petId}, not "01".`, `${quantity}, not 1.5.`, `${status}, not "gone".`].map((text) => `line 3: ${text}`),
    ...[`${petId}, not 9223372036854775808.`, `${quantity}; it is missing.`].map((text) => `line 4: ${text}`),
    `line 5: ${quantity}, not 9007199254740992.`,
    ...[`${petId}, not "=1+1".`, `${quantity}, not "many".`, `${status}; it is missing.`].map(
      (text) => `line 6: ${text}`,
    ),
    'line 7: 10,100,pending',
    `line 8: ${quantity}, not 4503599627370496.4999999999.`,
  ],
  [
    'wrong values in an array',
    wrongElements,
    ...[`${petId}, not "2".`, `${quantity}, not true.`, `${status}, not null.`].map((text) => `element 1: ${text}`),
    ...[`${petId}, not 3.0.`, `${quantity}, not an array.`, `${status}, not an object.`].map(
      (text) => `element 2: ${text}`,
    ),
  ],
  [
    'a long value',
    `{"${'k'.repeat(41)}":1,"petId":1,"quantity":1,"status":"sold"}`,
    `line 1: "${'k'.repeat(40)}…" is not a property of an entry.`,
  ],
  ['a formula', `${header}=cmd|' /C calc'!A1,1,sold\n`, `line 2: ${petId}, not "=cmd|' /C calc'!A1".`],
  ['an open quote', `${header}${row}"2,1,sold\n`, line2, `After line 2: ${quotes}`],
  ['a quote within a cell', `${header}2"2,1,sold\n`, `After line 1: ${quotes}`],
  ['a quote open for 300 kB', `${header}"${`${'x'.repeat(99)}\n`.repeat(3_000)}`, `After line 1: ${quotes}`],
  ['a line of 300 kB', `${header}${row}${long}`, line2, `After line 2: ${quotes}`],
  ['300,000 empty cells', `${header}${','.repeat(300_000)}`, `Line 2: ${tooLong}`],
  ['a line of NDJSON of 300 kB', `${entry}\n{"${long}`, line1, `Line 2: ${tooLong}`],
  ['an element of 300 kB', `[${entry},"${long}`, element1, `Element 2: ${tooLong}`],
  ['deep nesting', `[${'['.repeat(300_000)}`, `Element 1: ${tooLong}`],
  ['deep nesting in NDJSON', `{"a":${'['.repeat(50_000)}${']'.repeat(40_000)}`, `line 1: ${invalidLine}`],
  ['a trailing comma in an array', `[${entry},]`, element1, `Element 2: ${invalidElement}`],
  ['a trailing comma in an object', `[{"petId":1,}]`, `Element 1: ${invalidElement}`],
  ['an array without end', `[${entry}`, element1, 'The JSON array does not end: element 1 is the last complete one.'],
  ['two arrays', '[]\n[]', `Element 1: ${invalidElement}`],
  ['prototype keys', `{"__proto__":${entry}}`, ...unknown('line 1', '__proto__')],
  ['prototype keys in an array', `[{"__proto__":${entry}}]`, ...unknown('element 1', '__proto__')],
  ['inherited keys', '{"constructor":1}', ...unknown('line 1', 'constructor')],
  ['an array in NDJSON', `{}\n[${entry}]`, ...missing('line 1'), `line 2: ${object} an array.`],
  ['no JSON', '{]\n17', `line 1: ${invalidLine}`, `line 2: ${object} 17.`],
])('says what is wrong with a file of %s', async (_what, text, ...expected) =>
  expect(await read(text)).toEqual(expected),
);

const strings = ['sold', 's\\u006fld', '],[', '}{', '\\"', '\\\\', '\\\\\\"]', ',', 'é'];

test.each([
  ['CSV', '\ufeffstatus,petId,quantity\r\n"é,\n""]\r\n",1,2\rsold,3,4\n\nsold,5,6'],
  ['JSON', `\ufeff[${strings.map((text) => `{"status":"${text}","petId":-12.5e3}`)}]`],
  ['NDJSON', `\ufeff${entry}\r\n{"status":"é"}\n\n{]\n${entry}`],
])('reads %s alike wherever its chunks end', async (_format, text) => {
  const whole = await read(text);
  expect(whole.length).toBeGreaterThan(2);
  for (let size = 1; size < Buffer.byteLength(text); size++) {
    expect(await read(text, size)).toEqual(whole);
  }
});

test('reads a file of any length', async () => {
  const many = Array.from({ length: 10_000 }, () => entry);
  const found = await Promise.all(
    [header + row.repeat(30_000), `[${many}]`, many.join('\n')].map((text) => read(text)),
  );
  const last = ['line 30001: 1,1,sold', 'element 10000: 1,1,sold', 'line 10000: 1,1,sold'];
  expect(found.map((entries) => entries.at(-1))).toEqual(last);
});

describe('time grows no faster than an adversarial value', () => {
  const zeros = (length: number) => '0'.repeat(length);

  test.each<[what: string, entryOf: (length: number) => unknown]>([
    ['zeros in a fraction', (length) => ({ quantity: new Numeral(`1.${zeros(length)}1`) })],
    ['zeros at the end', (length) => ({ quantity: new Numeral(`1.${zeros(length)}`) })],
    ['zeros at both ends', (length) => ({ quantity: new Numeral(`0.${zeros(length)}1${zeros(length)}`) })],
    ['digits', (length) => ({ quantity: new Numeral('1'.repeat(length)) })],
    ['an exponent', (length) => ({ quantity: new Numeral(`1e${zeros(length)}1`) })],
    ['digits and something else', (length) => ({ quantity: new Numeral(`${'1'.repeat(length)}x`) })],
    ['a petId of digits', (length) => ({ petId: new Numeral('1'.repeat(length)) })],
    ['a long status', (length) => ({ status: '\u0001'.repeat(length) })],
    ['a long key', (length) => ({ ['x'.repeat(length)]: 1 })],
    ['many keys', (length) => Object.fromEntries(Array.from({ length: length / 10 }, (_value, i) => [`k${i}`, 1]))],
  ])('%s', (_what, entryOf) => {
    expect(isLinear(checkEntry, entryOf)).toBe(true);
  });
});
