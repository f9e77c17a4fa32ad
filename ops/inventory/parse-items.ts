import type { InventoryItem } from '../../functions/inventory/item.ts';
import { CliError } from '../cli/errors.ts';
import { type ColumnProblem, checkEntry } from './check-entry.ts';
import { ProblemList } from './problem-list.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';

/** Whether a file is JSON; otherwise it is CSV. */
const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** Whether nothing shows that the last line of a file is whole: `1200` may have been cut to `12`. */
export const mayBeCutOff = (text: string): boolean => !isJson(text) && !/[\r\n]$/.test(text);

/**
 * Returns the entries of a file, CSV or JSON, in their order.
 * @throws CliError if it is neither, or that names what is wrong with its entries
 */
export const parseItems = (text: string): InventoryItem[] => {
  const [read, place] = isJson(text) ? [readJson, 'Entry'] : [readCsv, 'Line'];
  const items: InventoryItem[] = [];
  /** The number of the line or entry of each petId. */
  const numbers = new Map<unknown, number>();
  const problems = new ProblemList();
  const repeated = (petId: unknown): ColumnProblem => {
    const earlier = `${place.toLowerCase()} ${numbers.get(petId)}`;
    return { column: 'petId', text: `petId ${petId} is already in ${earlier}.` };
  };
  read(text, ({ number, values }) => {
    const { petId } = values;
    const item = numbers.has(petId) ? [repeated(petId)] : checkEntry(values);
    if (Array.isArray(item)) {
      for (const problem of item) {
        problems.add(`${place} ${number}: ${problem.text}`, problem.column);
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
