import type { Command } from 'commander';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import { readItem } from '../../functions/inventory/stored-item.ts';
import { CliError } from '../cli/errors.ts';
import { startProgress } from '../cli/progress.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import {
  addStageCommand,
  type StageOptions,
  type Work,
  workToPrint,
} from '../stage/stage-command.ts';
import { columns } from './check-entry.ts';
import { ProblemList } from './problem-list.ts';
import { scanItems } from './table.ts';

const help = `
Entries are printed as CSV, or with --json as the API sends them. A failed export prints none, but
by then the shell has emptied the output file. To keep the old file until the new one is complete:
export > new.csv && mv new.csv stock.csv`;

export const addExportCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(
    inventory,
    'export',
    'print all entries, ordered by petId, once all have been read',
  )
    .addHelpText('after', help)
    .action(async (options: StageOptions) => {
      const work = await workToPrint(terminal, options);
      const items = await readItems(work);
      items.sort((one, other) => (one.petId < other.petId ? -1 : 1));
      await work.print(items, options.json ? '' : csvOf(items));
      tell(terminal, `Exported ${items.length.toLocaleString('en')} entries.`);
    });

/** @throws CliError that names the entries that break the contract */
const readItems = async ({ terminal, inventory }: Work): Promise<InventoryItem[]> => {
  const items: InventoryItem[] = [];
  const broken = new ProblemList();
  {
    using progress = startProgress(terminal, 'Read');
    for await (const page of scanItems(inventory)) {
      for (const stored of page) {
        const { item, violation } = readItem(stored);
        if (violation === undefined) {
          items.push(item);
        } else {
          broken.add(`petId ${stored.petId.N}: ${violation}.`);
        }
      }
      progress.add(page.length);
    }
  }
  if (broken.count > 0) {
    throw new CliError(
      `${broken}\n` +
        "Nothing was exported, because these entries are damaged. Clients' lists fail, too. " +
        "Repair them with inventory set or inventory remove; if a petId isn't an int64, delete " +
        'that item in the DynamoDB console.',
    );
  }
  return items;
};

const csvOf = (items: InventoryItem[]): string => {
  const rows = items.map((item) => columns.map((column) => item[column]).join(','));
  return [columns.join(','), ...rows].join('\n');
};
