import type { InventoryItem } from '../../functions/inventory/item.ts';
import { CliError } from '../cli/errors.ts';
import { checkEntry } from './check-entry.ts';
import { Problems } from './problems.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';

/**
 * Returns the entries of a file, CSV or a JSON array, in their order.
 * @throws CliError if it is neither, or that names what is wrong with its entries
 */
export const parseItems = (text: string): InventoryItem[] => {
  const isJson = /^\s*[[{]/.test(text);
  const [read, place] = isJson ? [readJson, 'Entry'] : [readCsv, 'Line'];
  const items: InventoryItem[] = [];
  /** The number of the line or entry of each petId. */
  const numbers = new Map<unknown, number>();
  const problems = new Problems();
  read(text, ({ number, values }) => {
    const { petId } = values;
    const earlier = numbers.get(petId);
    const repeated = `petId ${petId} is in ${place.toLowerCase()} ${earlier} already.`;
    const item = earlier ? [{ column: 'petId', text: repeated }] : checkEntry(values);
    if (Array.isArray(item)) {
      for (const { column, text: problem } of item) {
        problems.add(`${place} ${number}: ${problem}`, column);
      }
    } else {
      numbers.set(petId, number);
      items.push(item);
    }
  });
  if (problems.count > 0) {
    throw new CliError(`${problems}\nNothing was written.`);
  }
  return items;
};
