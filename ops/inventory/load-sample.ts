import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '../stage/stage.ts';
import type { Entry } from './entries/check-entry.ts';
import { openSource } from './files/entry-source.ts';
import { writeEntry } from './table/change-entry.ts';
import { scanEntries } from './table/stored-entries.ts';

const samplePath = join(import.meta.dirname, '../sample-inventory.csv');

/**
 * Imports the sample inventory, which has both ends of int64, unless the table holds any other
 * entry. An entry of the sample that is there already, perhaps with other values, stays as it is.
 */
export const loadSample = async (table: Table): Promise<void> => {
  const entries: Entry[] = [];
  const sample = await openSource(createReadStream(samplePath));
  await sample.read((_line, entry) => entries.push(entry as Entry));
  const ofSample = new Set(entries.map(({ petId }) => petId));
  for await (const page of scanEntries(table)) {
    if (page.some(({ petId }) => !ofSample.has(petId.N))) {
      return;
    }
  }
  await Promise.all(entries.map((entry) => writeEntry(table, entry)));
};
