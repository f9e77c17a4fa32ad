import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { namedKind } from '../../../../ops/inventory/files/file-kind.ts';

/** The first bytes of a zip archive with a file of this name and content. */
const zip = (name: string, content = ''): Buffer => {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name + content)]);
};

const excel = 'The file is an Excel workbook: save it as CSV.';
const header = 'petId,quantity,status\n';

test.each([
  ['gzip', gzipSync(header), 'The file is compressed with gzip: unpack it first.'],
  ['a zip archive', zip('pets.csv', header), 'The file is a zip archive: unpack it first.'],
  ['a workbook of Excel', zip('[Content_Types].xml'), excel],
  ['a workbook of a library', zip('docProps/app.xml'), excel],
  ['a workbook that begins with a sheet', zip('xl/worksheets/sheet1.xml'), excel],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), excel],
  [
    'a LibreOffice spreadsheet',
    zip('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'),
    'The file is a spreadsheet: save it as CSV.',
  ],
  ['CSV', Buffer.from(header), undefined],
  ['CSV with such names', Buffer.from('PKW,xl/\nPK\x03\x04'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('%s is named if it is no text', (_what, start, message) => {
  expect(namedKind(start)).toBe(message);
});
