import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from '../stage/stage.ts';
import { parseItems } from './read-items.ts';
import { writeItem } from './table.ts';

/** Loads the sample inventory, which has both ends of int64. Entries that exist stay as they are. */
export const loadSample = async (table: Table): Promise<void> => {
  const sample = await readFile(join(import.meta.dirname, '../sample-inventory.csv'), 'utf8');
  await Promise.all(parseItems(sample).map((item) => writeItem(table, item)));
};
