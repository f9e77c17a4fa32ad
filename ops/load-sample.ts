import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './inventory/check-entry.ts';
import { scanEntries, writeEntry } from './inventory/entries-table.ts';
import { openSource } from './inventory/read-entries.ts';
import type { Table } from './stage/stage.ts';

/** Imports what a local run starts with, both ends of int64 among it, into a table that is empty. */
export const loadSample = async (table: Table): Promise<void> => {
  const { value: existing = [] } = await scanEntries(table).next();
  const entries: Entry[] = [];
  const sample = await openSource(createReadStream(join(import.meta.dirname, 'sample-inventory.csv')));
  await sample.read((_line, entry) => entries.push(entry as Entry));
  await Promise.all(existing.length > 0 ? [] : entries.map((entry) => writeEntry(table, entry)));
};
