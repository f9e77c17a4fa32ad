import type { InventoryItem } from '../../functions/inventory/item.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { mayBeCutOff, parseItems } from './parse-items.ts';
import { readText } from './read-file.ts';
import { roundedPetIds } from './spreadsheet.ts';

/**
 * Returns what a file contains. Warns of what may not be as its source has it.
 * @param file its path, or `-` for standard input
 * @throws CliError that names what is wrong, and where
 */
export const readItems = async (terminal: Terminal, file: string): Promise<InventoryItem[]> => {
  const text = await readText(file, terminal.stdin);
  const items = parseItems(text);
  if (mayBeCutOff(text)) {
    tell(
      terminal,
      'Warning: the last line of the file has no line break, so the file may have been cut off: ' +
        'compare it with its source.',
    );
  }
  const rounded = roundedPetIds(items.map(({ petId }) => petId));
  if (rounded > 0) {
    tell(terminal, warningOf(rounded));
  }
  return items;
};

const warningOf = (rounded: number): string =>
  `Warning: ${rounded.toLocaleString('en')} petIds in the file are so long that spreadsheets, or ` +
  'programs such as jq, round them, and all of them end in zeros. They probably belong to other ' +
  'pets: compare them with their source.';
