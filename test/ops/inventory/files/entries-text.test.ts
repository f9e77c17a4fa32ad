import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Entry } from '../../../../ops/inventory/entries/check-entry.ts';
import { SortedEntries } from '../../../../ops/inventory/entries/sorted-entries.ts';
import { textOf } from '../../../../ops/inventory/files/entries-text.ts';
import { openSource } from '../../../../ops/inventory/files/entry-source.ts';
import type { Format } from '../../../../ops/inventory/files/formats.ts';

const smallest: Entry = { petId: '-9223372036854775808', quantity: 0, status: 'pending' };
const largest: Entry = {
  petId: '9223372036854775807',
  quantity: 9_007_199_254_740_991,
  status: 'sold',
};

const exportOf = (entries: Entry[], format: Format): string => {
  const sorted = new SortedEntries();
  for (const [i, entry] of entries.entries()) {
    sorted.add(entry, i);
  }
  return [...textOf(sorted, format)].join('');
};

const smallestJson = '{"petId":-9223372036854775808,"quantity":0,"status":"pending"}';
const largestJson = '{"petId":9223372036854775807,"quantity":9007199254740991,"status":"sold"}';

test.each<[Format, Entry[], string]>([
  ['csv', [], 'petId,quantity,status\n'],
  ['csv', [smallest], 'petId,quantity,status\n-9223372036854775808,0,pending\n'],
  [
    'csv',
    [largest, smallest],
    'petId,quantity,status\n-9223372036854775808,0,pending\n' +
      '9223372036854775807,9007199254740991,sold\n',
  ],
  ['json', [], '[\n]\n'],
  ['json', [smallest], `[\n${smallestJson}\n]\n`],
  ['json', [largest, smallest], `[\n${smallestJson},\n${largestJson}\n]\n`],
  ['ndjson', [], ''],
  ['ndjson', [smallest], `${smallestJson}\n`],
  ['ndjson', [largest, smallest], `${smallestJson}\n${largestJson}\n`],
])('%s of %j', (format, entries, text) => {
  expect(exportOf(entries, format)).toBe(text);
});

/** More than are written at once. */
const many = Array.from({ length: 2_001 }, (_entry, i): Entry => {
  const status = (['available', 'pending', 'sold'] as const)[i % 3] ?? 'sold';
  return { petId: String(9_007_199_254_740_993n + BigInt(i)), quantity: i, status };
});

test.each<Format>(['csv', 'json', 'ndjson'])(
  'an import reads what an export writes in %s',
  async (format) => {
    const read: unknown[] = [];
    const source = await openSource(Readable.from([Buffer.from(exportOf(many, format))]));
    await source.read((_position, entry) => read.push(entry));
    expect(read).toEqual(many);
  },
);
