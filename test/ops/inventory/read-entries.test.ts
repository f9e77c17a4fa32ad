import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checkEntry, Numeral } from '../../../ops/inventory/check-entry.ts';
import { openSource } from '../../../ops/inventory/read-entries.ts';
import { type InventoryStage, importText, inventoryStage } from '../../support/ops-inventory.ts';

let stage: InventoryStage;
beforeAll(async () => {
  stage = await inventoryStage();
});
beforeEach(() => stage.reset());

const header = 'petId,quantity,status\n';
const row = '1,1,sold\n';
const entry = '{"petId":1,"quantity":1,"status":"sold"}';
const long = 'x'.repeat(300_000);
const created = '1 read: 1 created.\n';
const quotes = 'a quote is not closed or is inside a cell, or this is too long to be an entry.';
const something = 'this is too long to be an entry.';

test.each<[what: string, text: string | Buffer, output: string]>([
  ['a byte order mark', `\ufeff${header}${row}`, created],
  ['a byte order mark before JSON', `\ufeff[${entry}]`, created],
  ['a byte order mark before NDJSON', `\ufeff${entry}`, created],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${header}${row}`, 'utf16le'), created],
  ['CR', `${header}${row}`.replaceAll('\n', '\r'), created],
  ['CR, LF and CRLF mixed', `${header}1,1,sold\r\n2,1,sold\r3,1,sold\n\r\n\n4,1,sold`, '4 read: 4 created.\n'],
  ['CRLF in NDJSON', `${entry}\r\n\r\n${entry.replace('1', '2')}\r\n`, '2 read: 2 created.\n'],
  ['U+2028 in NDJSON', `${entry.replace('sold', 's\\u006fld')} \n`, created],
  ['no line end at its end', header + row.trimEnd(), created],
  ['quoted cells', '"petId","quantity","status"\n"1","1","sold"\n', created],
  ['blank lines', `\n\n${header}\n\n${row}\n\n`, created],
  ['escapes in JSON', `[{"\\u0070etId":1,"quantity":1e0,"status":"s\\u006fld"}]`, created],
])('a file with %s is taken', async (_what, text, output) => {
  expect(await importText(text)).toEqual({ code: 0, output, problems: [] });
});

test.each<[what: string, text: string | Buffer, problem: string | RegExp]>([
  ['nothing', '', 'petstore: The file is empty.'],
  ['nothing but blanks', ' \n\r\n\t', 'petstore: The file is empty.'],
  ['NUL bytes', '\0'.repeat(1_000), /^petstore: Line 1: a CSV file must begin with the columns .*, not "\\u0000/],
  ['a NUL in a cell', `${header}1,\u00001,sold\n`, /^Line 2: quantity must be .*, not "\\u00001"\.$/],
  ['bad UTF-8 in a cell', Buffer.from(`${header}1,1,so\xffld\n`, 'latin1'), /^Line 2: status .*, not "so\ufffdld"\.$/],
  ['bad UTF-8 in JSON', Buffer.from(`[{"\xff":1}]`, 'latin1'), 'petstore: Element 1: this is not valid JSON.'],
  [
    'semicolons',
    `${header}${row}`.replaceAll(',', ';'),
    /^petstore: Line 1: .* by semicolons; it must be by commas\.$/,
  ],
  ['tabs', `${header}${row}`.replaceAll(',', '\t'), /^petstore: Line 1: .* by tabs; it must be by commas\.$/],
  ['other columns', 'id,quantity\n1,2\n', /^petstore: Line 1: .* columns petId,quantity,status, not "id,quantity"\.$/],
  ['a column twice', 'petId,petId,quantity,status\n', /^petstore: Line 1: a CSV file must begin with the columns /],
  ['a trailing comma in its header', 'petId,quantity,status,\n', /^petstore: Line 1: a CSV file must begin with /],
  ['a trailing comma', `${header}1,1,sold,\n`, 'Line 2: There must be 3 cells, not 4.'],
  ['a formula', `${header}=cmd|' /C calc'!A1,1,sold\n`, /^Line 2: petId must be .*, not "=cmd\|' \/C calc'!A1"\.$/],
  ['a quote that is not closed', `${header}${row}"2,1,sold\n`, `petstore: After line 2: ${quotes}`],
  ['a quote within a cell', `${header}2"2,1,sold\n`, `petstore: After line 1: ${quotes}`],
  ['a quote open for 300 kB', `${header}"${`${'x'.repeat(99)}\n`.repeat(3_000)}`, `petstore: After line 1: ${quotes}`],
  [
    'a line of 300 kB',
    `${header}${row}${long}`,
    /^petstore: (Line [23]: this is too long to be an entry|After line 2: )/,
  ],
  ['300,000 empty cells', `${header}${','.repeat(300_000)}`, `petstore: Line 2: ${something}`],
  ['300 kB of blanks', ' '.repeat(300_000), 'petstore: The file is empty.'],
  ['a line of NDJSON of 300 kB', `${entry}\n{"${long}`, `petstore: Line 2: ${something}`],
  ['an element of 300 kB', `[${entry},"${long}`, `petstore: Element 2: ${something}`],
  ['deep nesting', `[${'['.repeat(300_000)}`, `petstore: Element 1: ${something}`],
  ['deep nesting in NDJSON', `{"a":${'['.repeat(50_000)}${']'.repeat(40_000)}`, 'Line 1: This is not valid JSON.'],
  ['a trailing comma in an array', `[${entry},]`, 'petstore: Element 2: this is not valid JSON.'],
  ['a trailing comma in an object', `[{"petId":1,}]`, 'petstore: Element 1: this is not valid JSON.'],
  [
    'an array that does not end',
    `[${entry}`,
    'petstore: The JSON array does not end: element 1 is the last complete one.',
  ],
  ['two arrays', '[]\n[]', 'petstore: Element 1: this is not valid JSON.'],
  ['prototype keys', `{"__proto__":${entry}}`, 'Line 1: "__proto__" is not a property of an entry.'],
  ['prototype keys in an array', `[{"__proto__":${entry}}]`, 'Element 1: "__proto__" is not a property of an entry.'],
  ['inherited keys', '{"constructor":1}', 'Line 1: "constructor" is not a property of an entry.'],
  ['an array in NDJSON', `{}\n[${entry}]`, /^Line 1: petId must be .*, it is missing\.$/],
  ['no JSON', '{]', 'Line 1: This is not valid JSON.'],
])('a file of %s is rejected, and nothing is written', async (_what, text, problem) => {
  const { code, output, problems } = await importText(text);
  expect({ code, output }).toEqual({ code: 3, output: '' });
  expect(problems).toContainEqual(problem instanceof RegExp ? expect.stringMatching(problem) : problem);
  expect(await stage.items()).toEqual([]);
});

test.each(['5', '"x"', 'true', '{}', ''])('%j is no JSON array', async (text) => {
  expect(await importText(text, '--format', 'json')).toMatchObject({ code: 3, output: '' });
});

test('strings of JSON are taken for what they are, wherever a chunk ends', async () => {
  const statuses = ['sold', 's\\u006fld', '],[', '}{', '\\"', '\\\\', '\\\\\\"]', ',', 'é'];
  const text = Buffer.from(`[${statuses.map((status) => `{"status":"${status}"}`)}]`);
  for (let size = 1; size < text.length; size++) {
    const chunks = async function* () {
      for (let i = 0; i < text.length; i += size) {
        yield text.subarray(i, i + size);
      }
    };
    const values: unknown[] = [];
    await (await openSource(chunks())).read((_place, value) => values.push(value));
    expect(values).toEqual(statuses.map((status) => ({ status: JSON.parse(`"${status}"`) })));
  }
});

describe('time grows no faster than an adversarial value', () => {
  const zeros = (length: number) => '0'.repeat(length);
  const cpuTime = (value: unknown): number => {
    const times = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      checkEntry(value);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...times);
  };

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
    const [small, large] = [entryOf(25_000), entryOf(100_000)];
    // What takes no time at all has no ratio.
    expect(cpuTime(large)).toBeLessThan(8 * Math.max(cpuTime(small), 2_000));
  });
});
