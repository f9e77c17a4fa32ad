import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CliError } from '../cli/cli-error.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Place, Problem } from './check-item.ts';
import { parseItems } from './parse-items.ts';
import type { PlacedItem } from './plan-writes.ts';
import { type PlacedProblem, tellProblems } from './tell-problems.ts';

/**
 * Reads a file (`-` is standard input) as a whole. Returns its entries.
 * @throws CliError unless all of them are valid, and no two have the same petId
 */
export const readItems = async (
  terminal: Terminal,
  file: string,
  options: { json?: boolean },
): Promise<PlacedItem[]> => {
  const bytes = file === '-' ? await buffer(terminal.stdin) : await readBytes(file);
  const items = new Map<bigint, PlacedItem>();
  const problems: PlacedProblem[] = [];
  let invalid = 0;
  for (const { place, result } of parseItems(bytes, file === '-' ? 'Standard input' : file)) {
    const wrong = Array.isArray(result) ? result : addUnlessKnown(items, { place, item: result });
    problems.push(...wrong.map((problem) => ({ ...place, ...problem })));
    invalid += wrong.length > 0 ? 1 : 0;
  }
  if (invalid > 0) {
    tellProblems(terminal, options, problems);
    const message = `Invalid entries: ${invalid.toLocaleString('en')}. Nothing was written.`;
    throw new CliError('invalid', message, { problems });
  }
  return [...items.values()];
};

const readBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((cause: Error) => {
    throw new CliError('invalid', `Cannot read ${file}: ${cause.message}.`, { cause });
  });

/** Adds an item, or returns the problem that there is one with its petId already. */
const addUnlessKnown = (items: Map<bigint, PlacedItem>, placed: PlacedItem): Problem[] => {
  const { petId } = placed.item;
  const earlier = items.get(petId);
  if (!earlier) {
    items.set(petId, placed);
    return [];
  }
  const reason = `petId ${petId} is in ${inWords(earlier.place)} already.`;
  return [{ reason, column: 'petId', value: String(petId) }];
};

const inWords = (place: Place): string =>
  'line' in place ? `line ${place.line}` : `element ${place.element}`;
