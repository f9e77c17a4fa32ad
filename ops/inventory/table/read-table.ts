import type { PetStatus } from '../../../functions/inventory/item.ts';
import { type StoredItem, violationOf } from '../../../functions/inventory/stored-item.ts';
import { CliError } from '../../cli/cli-error.ts';
import { npxPetstore } from '../../cli/command-line.ts';
import { showProgress } from '../../cli/progress.ts';
import type { Terminal } from '../../cli/terminal.ts';
import type { Stage } from '../../stage/stage.ts';
import { SortedEntries } from '../entries/sorted-entries.ts';
import { scanEntries } from './stored-entries.ts';

/** An entry that breaks the contract of the API, and what is wrong with it. */
export interface BrokenEntry {
  petId: string;
  reason: string;
}

/** Reads the whole table. Returns the valid entries, and what is wrong with the others. */
export const readTable = async (terminal: Terminal, stage: Stage) => {
  const entries = new SortedEntries();
  const broken: BrokenEntry[] = [];
  let read = 0;
  using progress = showProgress(terminal, 'Read');
  for await (const page of scanEntries(stage.inventory)) {
    terminal.signal.throwIfAborted();
    for (const stored of page) {
      const reason = violationOf(stored);
      read += 1;
      if (reason === undefined) {
        addValid(entries, stored, read);
      } else {
        broken.push({ petId: typeable(stored.petId.N), reason });
      }
    }
    progress.add(page.length);
  }
  return { entries, read, broken };
};

const addValid = (entries: SortedEntries, stored: StoredItem, position: number): void => {
  const { petId, quantity, status } = stored;
  const entry = {
    petId: petId.N,
    quantity: Number(quantity?.N),
    status: status?.S as PetStatus,
  };
  entries.add(entry, position);
};

/**
 * Returns a petId as `inventory remove` takes it: Commander mistakes a negative number with a
 * capital E for an option.
 */
const typeable = (petId: string): string => petId.toLowerCase();

/** Returns the error of a command that found broken entries. */
export const brokenError = (stage: Stage, broken: BrokenEntry[]): CliError => {
  const [first] = broken;
  const hint =
    'Repair each with import --on-conflict replace, set, set-status or a PATCH of its quantity, ' +
    `or remove it: ${npxPetstore} inventory remove ${first?.petId} ${stage.options}`;
  const message = `Entries that break the contract: ${broken.length.toLocaleString('en')}.`;
  return new CliError('failed', message, { hint, problems: broken });
};
