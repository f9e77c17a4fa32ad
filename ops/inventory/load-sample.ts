import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { Table } from '../stage/stage.ts';
import { writeItem } from './change-item.ts';
import { parseItems } from './parse-items.ts';
import { scanItems } from './stored-items.ts';

const samplePath = join(import.meta.dirname, '../sample-inventory.csv');

/**
 * Imports the sample inventory, which has both ends of int64, unless the table holds any other
 * entry. An entry of the sample that is there already, perhaps with other values, stays as it is.
 */
export const loadSample = async (table: Table): Promise<void> => {
  const sample = parseItems(await readFile(samplePath), samplePath);
  const items = Array.from(sample, ({ result }) => result as InventoryItem);
  const ofSample = new Set(items.map(({ petId }) => String(petId)));
  for await (const page of scanItems(table)) {
    if (page.some(({ petId }) => !ofSample.has(petId.N))) {
      return;
    }
  }
  await Promise.all(items.map((item) => writeItem(table, item)));
};
