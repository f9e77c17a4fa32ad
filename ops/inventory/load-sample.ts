import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '../stage/stage.ts';
import type { Entry } from './check-entry.ts';
import { scanEntries, writeEntry } from './entries-table.ts';
import { openSource } from './read-entries.ts';

/**
 * Imports the sample inventory, which has both ends of int64, unless the table holds any other
 * entry.
 */
export const loadSample = async (table: Table): Promise<void> => {
  const existing = (await Array.fromAsync(scanEntries(table))).flat();
  const entries: Entry[] = [];
  const sample = await openSource(
    createReadStream(join(import.meta.dirname, '../sample-inventory.csv')),
  );
  await sample.read((_line, entry) => entries.push(entry as Entry));
  const isAlone = existing.every(({ petId }) => entries.some((entry) => entry.petId === petId.N));
  await Promise.all(isAlone ? entries.map((entry) => writeEntry(table, entry)) : []);
};
