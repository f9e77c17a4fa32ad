import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readText } from '../../../ops/inventory/read-file.ts';
import { csv } from '../../support/ops/inventory.ts';

/** Reads bytes from standard input, in these chunks. Returns the text, or what is wrong. */
const read = (...chunks: Buffer[]): Promise<string> =>
  readText('-', Readable.from(chunks)).catch(({ message }: Error) => message);

const file = csv('1,1,grün\u{1f600}');

test.each([
  { what: 'a text in UTF-8', bytes: Buffer.from(file) },
  { what: 'a byte order mark', bytes: Buffer.from(`\ufeff${file}`) },
])('$what is read, however its bytes arrive', async ({ bytes }) => {
  expect(await read(bytes)).toBe(file);
  expect(await read(...Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1)))).toBe(
    file,
  );
});

const noText =
  'The file is not text in UTF-8: it may be a workbook, or UTF-16. Save it as CSV in UTF-8.';

test.each([
  { what: 'UTF-16', bytes: Buffer.from(`\ufeff${file}`, 'utf16le') },
  { what: 'swapped UTF-16 without a mark', bytes: Buffer.from(file, 'utf16le').swap16() },
  { what: 'a workbook', bytes: Buffer.from('PK\u0003\u0004\u0014\u0000\u0006') },
  { what: 'an old one', bytes: Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(16)}`, 'hex') },
])('$what is no text', async ({ bytes }) => expect(await read(bytes)).toBe(noText));

test('a null byte within a text is left to the reader of its line', async () => {
  const text = csv('1\u0000,1,sold');
  expect(await read(Buffer.from(text))).toBe(text);
});

const isWrong = (line: number, after: string): string =>
  `Line ${line} is not text in UTF-8, after "${after}". Save it as CSV in UTF-8.\n` +
  'If it is in Windows-1252 (Latin-1): iconv -f WINDOWS-1252 -t UTF-8 FILE > utf-8.csv';

const wrong = Buffer.from([0xe9]);
const half = Buffer.from('é').subarray(0, 1);
const rows = (count: number, lineBreak: string) =>
  Buffer.from(`1,1,sold${lineBreak}`.repeat(count));

test.each([
  {
    what: 'Latin-1',
    bytes: Buffer.from(csv('1,1,sold', '2,2,café'), 'latin1'),
    line: 3,
    after: '2,2,caf',
  },
  { what: 'its first byte', bytes: wrong, line: 1, after: '' },
  {
    what: 'one byte in the middle',
    bytes: Buffer.concat([rows(50_000, '\n'), wrong, rows(50_000, '\n')]),
    line: 50_001,
    after: '',
  },
  {
    what: 'one byte after CRLF',
    bytes: Buffer.concat([rows(500, '\r\n'), Buffer.from('7,é'), wrong, rows(5, '\r\n')]),
    line: 501,
    after: '7,é',
  },
  {
    what: 'one byte after CR',
    bytes: Buffer.concat([rows(500, '\r'), Buffer.from('7,\u200b'), wrong, rows(5, '\r')]),
    line: 501,
    after: '7,\\u200b',
  },
  { what: 'half a character', bytes: Buffer.concat([rows(1, '\n'), half]), line: 2, after: '' },
  {
    what: 'one byte in a long line',
    bytes: Buffer.concat([Buffer.from('x'.repeat(99)), wrong]),
    line: 1,
    after: 'x'.repeat(40),
  },
])('what is wrong with $what is named by its line', async ({ bytes, line, after }) => {
  expect(await read(bytes)).toBe(isWrong(line, after));
});

test('standard input is not read beyond what an import takes', async () => {
  let chunks = 0;
  const endless = function* () {
    const chunk = Buffer.alloc(10_000_000, '1,1,sold\n');
    for (;;) {
      chunks += 1;
      yield chunk;
    }
  };
  await expect(readText('-', Readable.from(endless()))).rejects.toMatchObject({
    name: 'CliError',
    message:
      'The file has more than 250,000,000 bytes. An import takes at most 250,000,000.\n' +
      'Split it, and import one part after the other. Each part of CSV needs the first line.',
  });
  expect(chunks).toBeLessThan(50);
});
