import type { InventoryItem } from '../../functions/inventory/item.ts';
import { CliError } from '../cli/errors.ts';
import { checkEntry, type Entry, type Problem } from './check-entry.ts';
import { Problems } from './problems.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';

/**
 * Returns the entries of a file, CSV or a JSON array, in their order.
 * @throws CliError if it is neither, or that names what is wrong with its entries
 */
export const parseItems = (text: string): InventoryItem[] => {
  const isJson = /^\s*\[/.test(text);
  const place = isJson ? 'entry' : 'line';
  const items: InventoryItem[] = [];
  const places = new Map<bigint, number>();
  const problems = new Problems();

  const problemsOf = ({ number, values, problems: others }: Entry): Problem[] => {
    const item = values === undefined ? [] : checkEntry(values);
    if (Array.isArray(item)) {
      return [...item, ...others];
    }
    if (others.length > 0) {
      return others;
    }
    const earlier = places.get(item.petId);
    if (earlier !== undefined) {
      const there = `petId ${item.petId} is in ${place} ${earlier} already.`;
      return [{ column: 'petId', text: there }];
    }
    places.set(item.petId, number);
    items.push(item);
    return [];
  };
  const take = (entry: Entry): void => {
    for (const { column, text } of problemsOf(entry)) {
      problems.add(`${isJson ? 'Entry' : 'Line'} ${entry.number}: ${text}`, column);
    }
  };
  (isJson ? readJson : readCsv)(text, take);
  if (problems.count > 0) {
    throw new CliError(`${problems}\nNothing was written.`);
  }
  return items;
};
