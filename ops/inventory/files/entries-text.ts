import type { Entry } from '../entries/check-entry.ts';
import type { SortedEntries } from '../entries/sorted-entries.ts';
import type { Format } from './formats.ts';

interface Layout {
  /** The text before the first entry, between two entries, and at the end of the file. */
  start: string;
  between: string;
  end: string;
  write(entry: Entry): string;
}

const jsonObject = ({ petId, quantity, status }: Entry) =>
  `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;

const layouts: Record<Format, Layout> = {
  csv: {
    start: 'petId,quantity,status\n',
    between: '\n',
    end: '',
    write: ({ petId, quantity, status }) => `${petId},${quantity},${status}`,
  },
  json: { start: '[\n', between: ',\n', end: ']\n', write: jsonObject },
  ndjson: { start: '', between: '\n', end: '', write: jsonObject },
};

const entriesAtOnce = 1_000;

/**
 * Yields the text of an export in pieces, ordered by petId. An import of the text gives the same
 * inventory.
 */
export function* textOf(entries: SortedEntries, format: Format): Generator<string> {
  const { start, between, end, write } = layouts[format];
  yield start;
  let isFirst = true;
  for (const batch of entries.batches(entriesAtOnce)) {
    yield (isFirst ? '' : between) + batch.map(write).join(between);
    isFirst = false;
  }
  // The last entry ends its line.
  yield isFirst ? end : `\n${end}`;
}
