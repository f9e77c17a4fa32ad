import { type Command, Option } from 'commander';
import type { InventoryItem, PetStatus } from '../../functions/inventory/item.ts';
import { type StoredItem, violationOf } from '../../functions/inventory/stored-item.ts';
import { CliError } from '../cli/errors.ts';
import { showProgress } from '../cli/progress.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';
import { scanItems } from './table.ts';

interface ExportOptions extends StageOptions {
  format: 'csv' | 'json';
}

export const addExportCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(inventory, 'export', 'print every entry, ordered by petId, once all are read')
    .addOption(
      new Option('--format <format>', 'format to print').choices(['csv', 'json']).default('csv'),
    )
    .action((options: ExportOptions) => exportItems(terminal, options));

const exportItems = async (terminal: Terminal, options: ExportOptions): Promise<void> => {
  const stage = await findStage(terminal, options);
  const items: InventoryItem[] = [];
  let broken = 0;
  {
    using progress = showProgress(terminal, 'Read');
    for await (const page of scanItems(stage.inventory)) {
      for (const stored of page) {
        const violation = violationOf(stored);
        if (violation === undefined) {
          items.push(itemOf(stored));
        } else {
          broken += 1;
          tell(terminal, `petId ${stored.petId.N}: ${violation}.`);
        }
      }
      progress.add(page.length);
    }
  }
  if (broken > 0) {
    const repair = 'Repair each with inventory set, or remove it with inventory remove.';
    throw new CliError(`${broken} entries break the contract, so every list fails. ${repair}`);
  }
  items.sort((one, other) => (one.petId < other.petId ? -1 : 1));
  const isJson = options.json || options.format === 'json';
  await print(terminal, { json: isJson }, items, isJson ? '' : csvOf(items));
};

const itemOf = ({ petId, quantity, status }: StoredItem): InventoryItem => ({
  petId: BigInt(petId.N),
  quantity: Number(quantity?.N),
  status: status?.S as PetStatus,
});

const csvOf = (items: InventoryItem[]): string => {
  const rows = items.map(({ petId, quantity, status }) => `${petId},${quantity},${status}`);
  return ['petId,quantity,status', ...rows].join('\n');
};
