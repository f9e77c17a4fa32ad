import type { Command } from 'commander';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import { readItem } from '../../functions/inventory/stored-item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { CliError, listed } from '../cli/errors.ts';
import { replacingFile, write } from '../cli/output.ts';
import { startProgress } from '../cli/progress.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import type { Table } from '../stage/stage.ts';
import { addStageCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { names } from './read-items.ts';
import { scanItems } from './table.ts';

const help = `
Entries are written as CSV, or with --json as the API sends them. A file takes the place of an old
one once it is complete, and only you can read it.`;

interface ExportOptions extends StageOptions {
  table?: string;
}

export const addExportCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(
    inventory,
    'export',
    'write all entries, ordered by petId, once all have been read',
  )
    .argument('[file]', 'the file to write (default: standard output)')
    .option('--table <name>', 'export another table, such as a restored one')
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: ExportOptions) => {
      const work = await workOn(terminal, options);
      const { TableName, client } = work.inventory;
      const { table = TableName } = options;
      const items = await readItems(terminal, { client, TableName: table }, howToRepair(options));
      items.sort((one, other) => (one.petId < other.petId ? -1 : 1));
      const text = options.json ? toJson(items) : csvOf(items);
      if (file === undefined) {
        await write(terminal, `${text}\n`);
      } else {
        await using written = await replacingFile(file);
        await written.finish(`${text}\n`);
      }
      tell(terminal, `Exported ${items.length.toLocaleString('en')} entries.`);
    });

const howToRepair = ({ table }: ExportOptions): string =>
  table === undefined
    ? "Clients' lists fail, too. Repair them with inventory set or inventory remove; if a petId " +
      "isn't an int64, delete that item in the DynamoDB console."
    : 'Repair them in the DynamoDB console.';

/** @throws CliError that names the entries that break the contract, and says how to repair them */
const readItems = async (
  terminal: Terminal,
  table: Table,
  advice: string,
): Promise<InventoryItem[]> => {
  const items: InventoryItem[] = [];
  const broken: string[] = [];
  {
    using progress = startProgress(terminal, 'Read');
    for await (const page of scanItems(table)) {
      for (const stored of page) {
        const { item, violation } = readItem(stored);
        if (violation === undefined) {
          items.push(item);
        } else {
          broken.push(`petId ${stored.petId.N}: ${violation}.`);
        }
      }
      progress.add(page.length);
    }
  }
  if (broken.length > 0) {
    throw new CliError(
      `${listed(broken)}\n` + `Nothing was exported, because these entries are damaged. ${advice}`,
    );
  }
  return items;
};

const csvOf = (items: InventoryItem[]): string => {
  const rows = items.map((item) => names.map((name) => item[name]).join(','));
  return [names.join(','), ...rows].join('\n');
};
