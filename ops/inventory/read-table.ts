import type { InventoryItem, PetStatus } from '../../functions/inventory/item.ts';
import { type StoredItem, violationOf } from '../../functions/inventory/stored-item.ts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Stage } from '../stage/stage.ts';
import { scanItems } from './stored-items.ts';

/** An item that breaks the contract of the API, and what is wrong with it. */
export interface BrokenItem {
  petId: string;
  reason: string;
}

/** Reads the whole table. Returns the valid items, and what is wrong with the others. */
export const readTable = async (terminal: Terminal, stage: Stage) => {
  const items: InventoryItem[] = [];
  const broken: BrokenItem[] = [];
  using progress = showProgress(terminal, 'Read');
  for await (const page of scanItems(stage.inventory)) {
    for (const stored of page) {
      const reason = violationOf(stored);
      if (reason === undefined) {
        items.push(valid(stored));
      } else {
        broken.push({ petId: typeable(stored.petId.N), reason });
      }
    }
    progress.add(page.length);
  }
  return { items, broken };
};

const valid = ({ petId, quantity, status }: StoredItem): InventoryItem => ({
  petId: BigInt(petId.N),
  quantity: Number(quantity?.N),
  status: status?.S as PetStatus,
});

/**
 * Returns a petId as `inventory remove` takes it: Commander mistakes a negative number with a
 * capital E for an option.
 */
const typeable = (petId: string): string => petId.toLowerCase();

/** Returns the error of a command that found broken items. */
export const brokenError = (stage: Stage, broken: BrokenItem[]): CliError => {
  const [first] = broken;
  const hint =
    'Repair each with import --on-conflict replace, set, set-status or a PATCH of its quantity, ' +
    `or remove it: ${npxPetstore} inventory remove ${first?.petId} ${stage.options}`;
  const message = `Entries that break the contract: ${broken.length.toLocaleString('en')}.`;
  return new CliError('failed', message, { hint, problems: broken });
};
