import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { parseItems } from '../../../ops/inventory/parse-items.ts';

const header = 'petId,quantity,status\n';
const object = '{"petId":1,"quantity":1,"status":"sold"}';

/** Returns each entry as its place and its values, or what is wrong with it. */
const parsed = (file: string | Buffer): string[] =>
  Array.from(parseItems(Buffer.from(file as string), 'pets'), ({ place, result }) => {
    const [[unit, number] = []] = Object.entries(place);
    const said = Array.isArray(result)
      ? result.map(({ reason }) => reason).join(' ')
      : Object.values(result).join();
    return `${unit} ${number}: ${said}`;
  });

const petIdRule =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
  'in digits without leading zeros';
const quantityRule = 'quantity must be an integer from 0 to 9007199254740991';
const statusRule = 'status must be available, pending or sold';
const missing = `${petIdRule}; it is missing. ${quantityRule}; it is missing. ${statusRule}; it is missing.`;
const rounded =
  'A spreadsheet has rounded it: format its column as text, and enter the numbers again.';
const rule = 'An entry must be an object with petId, quantity and status, not';

const ends = ['-9223372036854775808,0,pending', '9223372036854775807,9007199254740991,sold'];
const bothEnds = [`line 2: ${ends[0]}`, `line 3: ${ends[1]}`];
const csv = `${header}${ends.join('\n')}\n`;

test.each<{ what: string; file: string | Buffer; entries: string[] }>([
  { what: 'both ends of every number', file: csv, entries: bothEnds },
  { what: 'a byte order mark', file: `\ufeff${csv}`, entries: bothEnds },
  { what: 'semicolons', file: csv.replaceAll(',', ';'), entries: bothEnds },
  { what: 'tabs', file: csv.replaceAll(',', '\t'), entries: bothEnds },
  { what: 'CRLF', file: csv.replaceAll('\n', '\r\n'), entries: bothEnds },
  { what: 'CR', file: csv.replaceAll('\n', '\r'), entries: bothEnds },
  {
    what: 'quotes',
    file: csv.replaceAll(/([^,\n]+)([,\n])/g, '"$1"$2'),
    entries: bothEnds,
  },
  {
    what: 'columns in another order',
    file: csv.replace(/^(\S+?),(\S+?),(\S+?)$/gm, '$3,$1,$2'),
    entries: bothEnds,
  },
  {
    what: 'names in any case, and blanks around cells',
    file: ' PETID , "Quantity" ,STATUS\n 1 , "1" ,\tsold \n',
    entries: ['line 2: 1,1,sold'],
  },
  {
    what: 'blank lines',
    file: `\n\n${header}\n\n1,1,sold\n\n\n1,2`,
    entries: ['line 6: 1,1,sold', 'line 9: There must be 3 cells, not 2: "1,2".'],
  },
  { what: 'no entries', file: header, entries: [] },
  {
    what: 'a cell too many',
    file: `${header}1,1,sold,\n`,
    entries: ['line 2: There must be 3 cells, not 4: "1,1,sold,".'],
  },
  {
    what: 'a line with other separators than the first',
    file: 'petId;quantity;status\n1,1;sold\n',
    entries: ['line 2: There must be 3 cells, not 2: "1,1;sold".'],
  },
  {
    what: 'a decimal comma',
    file: 'petId;quantity;status\n1;1,5;sold\n',
    entries: [`line 2: ${quantityRule}, not "1,5".`],
  },
  {
    what: 'an empty cell',
    file: `${header}1,1,\n`,
    entries: [`line 2: ${statusRule}; it is missing.`],
  },
  {
    what: 'a cell that spans two lines',
    file: `${header}1,1,"é,\n"" "\n1,1,é\n`,
    entries: [`line 3: ${statusRule}, not "é,\\n\\" ".`, `line 4: ${statusRule}, not "é".`],
  },
  {
    what: 'numbers that only a spreadsheet writes so',
    file: `${header}01,-1,sold\n1.0,1E+11,sold\n`,
    entries: [
      `line 2: ${petIdRule}, not "01". ${quantityRule}, not -1.`,
      `line 3: ${petIdRule}, not "1.0". ${quantityRule}, not "1E+11". ${rounded}`,
    ],
  },
])('CSV with $what', ({ file, entries }) => {
  expect(parsed(file)).toEqual(entries);
});

test.each<{ what: string; file: string; entries: string[] }>([
  {
    what: 'both ends of every number, as the API prints them',
    file:
      '[{"petId":-9223372036854775808,"quantity":0,"status":"pending"},' +
      '{"petId":9223372036854775807,"quantity":9007199254740991,"status":"sold"}]',
    entries: [`element 1: ${ends[0]}`, `element 2: ${ends[1]}`],
  },
  { what: 'a byte order mark', file: `\ufeff[${object}]`, entries: ['element 1: 1,1,sold'] },
  {
    what: 'white space, and what is no entry',
    file: `\n [\n ${object.replaceAll(':', '\n:\n')}\n, {}, 17]\n`,
    entries: ['element 1: 1,1,sold', `element 2: ${missing}`, `element 3: ${rule} 17.`],
  },
  { what: 'no entries', file: ' [ ]\n', entries: [] },
  {
    what: 'escapes and exponents',
    file: '[{"\\u0070etId":1,"quantity":1.5E+02,"status":"s\\u006fld"}]',
    entries: ['element 1: 1,150,sold'],
  },
  {
    what: 'numbers that a double would round',
    file: '[{"petId":3.0,"quantity":1.0000000000000000001,"status":"sold"}]',
    entries: [`element 1: ${petIdRule}, not 3.0. ${quantityRule}, not 1.0000000000000000001.`],
  },
  {
    what: 'a prototype',
    file: `[{"__proto__":${object}}]`,
    entries: [`element 1: ${missing} "__proto__" is not a property of an entry.`],
  },
])('JSON with $what', ({ file, entries }) => {
  expect(parsed(file)).toEqual(entries);
});

test.each<{ what: string; file: string; entries: string[] }>([
  {
    what: 'both ends of petId',
    file:
      '{"petId":-9223372036854775808,"quantity":0,"status":"pending"}\n' +
      '{"petId":9223372036854775807,"quantity":9007199254740991,"status":"sold"}',
    entries: [`line 1: ${ends[0]}`, `line 2: ${ends[1]}`],
  },
  {
    what: 'blank lines and CRLF',
    file: `\r\n${object}\r\n\r\n{}`,
    entries: ['line 2: 1,1,sold', `line 4: ${missing}`],
  },
  {
    what: 'a line that is no JSON, and one that is no entry',
    file: `${object}\n{]\n[1]`,
    entries: [
      'line 1: 1,1,sold',
      'line 2: This is not valid JSON: "{]".',
      `line 3: ${rule} an array.`,
    ],
  },
  {
    what: 'deep nesting',
    file: `{"a":${'['.repeat(90_000)}`,
    entries: [`line 1: This is not valid JSON: "{\\"a\\":${'['.repeat(35)}…".`],
  },
])('NDJSON with $what', ({ file, entries }) => {
  expect(parsed(file)).toEqual(entries);
});

const hint = 'It must be CSV, a JSON array or NDJSON, in UTF-8.';
const asCsv =
  'Cannot read pets: as CSV, it must begin with the names of its columns, ' +
  'petId, quantity and status, separated by commas, semicolons or tabs, not';

test.each<{ what: string; file: string | Buffer; message: unknown }>([
  {
    what: 'gzip',
    file: gzipSync(header),
    message: 'pets is not text in UTF-8: it begins with the bytes 1f 8b 08 00.',
  },
  {
    what: 'UTF-16',
    file: Buffer.from(`\ufeff${header}`, 'utf16le'),
    message: 'pets is not text in UTF-8: it begins with the bytes ff fe 70 00.',
  },
  {
    what: 'UTF-16 without a mark',
    file: Buffer.from('petId', 'utf16le'),
    message: `${asCsv} "p\\u0000e\\u0000t\\u0000I\\u0000d\\u0000".`,
  },
  {
    what: 'Latin-1',
    file: Buffer.from(`${header}1,1,gr\u00f6\u00dfer\n`, 'latin1'),
    message: 'pets is not text in UTF-8: it begins with the bytes 70 65 74 49.',
  },
  { what: 'CSV without a header', file: '1,1,sold\n', message: `${asCsv} "1,1,sold".` },
  { what: 'a missing column', file: 'petId,quantity\n', message: `${asCsv} "petId,quantity".` },
  {
    what: 'an unknown column',
    file: 'petId,quantity,status,colour\n',
    message: `${asCsv} "petId,quantity,status,colour".`,
  },
  {
    what: 'a column twice',
    file: 'petId,quantity,petid\n',
    message: `${asCsv} "petId,quantity,petid".`,
  },
  {
    what: "Excel's line of the separator",
    file: 'sep=;\n1;1;sold\n',
    message: `${asCsv} "sep=;".`,
  },
  {
    what: 'an open quote',
    file: `${header}"1,1,sold\n`,
    message:
      'Cannot read pets: Quote Not Closed: ' +
      'the parsing is finished with an opening quote at line 2.',
  },
  {
    what: 'a quote in a cell',
    file: `${header}1"1,1,sold\n`,
    message:
      'Cannot read pets: Invalid Opening Quote: ' +
      'a quote is found on field 0 at line 2, value is "1".',
  },
  {
    what: 'an array without an end',
    file: `[${object}`,
    message: expect.stringMatching(/^Cannot read pets: .* at position 41 .*\.$/),
  },
  {
    what: 'two arrays',
    file: '[]\n[]',
    message: expect.stringMatching(/^Cannot read pets: .* at position 3 .*\.$/),
  },
])('$what is one error that names what was read', ({ file, message }) => {
  expect(() => parsed(file)).toThrow(
    expect.objectContaining({
      code: 'invalid',
      message,
      details: expect.objectContaining({ hint }),
    }),
  );
});

test.each(['', '\ufeff \r\n\t\n'])('%j is empty', (file) => {
  expect(() => parsed(file)).toThrow(
    expect.objectContaining({ code: 'invalid', message: 'pets is empty.' }),
  );
});
