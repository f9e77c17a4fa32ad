import { violationOf } from '../../functions/inventory/stored-entry.ts';
import { CliError } from '../cli/cli-error.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import { inventoryOf, type Stage } from '../stage/stage.ts';
import { Entries } from './entries.ts';
import { fromStored, scanEntries } from './entries-table.ts';

/** An entry that breaks the contract: its petId as `remove` takes it, and what is wrong. */
export interface Broken {
  petId: string;
  reason: string;
}

/** Reads the whole table: the entries that keep the contract, those that break it, and what to say of these. */
export const readTable = async (terminal: Terminal, stage: Stage) => {
  const entries = new Entries();
  const broken: Broken[] = [];
  const progress = showProgress(terminal, 'Read');
  for await (const page of scanEntries(inventoryOf(stage))) {
    if (terminal.signal.aborted) {
      throw new CliError('interrupted', 'Interrupted.');
    }
    for (const stored of page) {
      const reason = violationOf(stored);
      if (reason === undefined) {
        entries.add(fromStored(stored));
      } else {
        // With a capital E, a negative number would be taken for an option.
        broken.push({ petId: stored.petId.N.toLowerCase(), reason });
      }
    }
    progress.update(entries.length + broken.length);
  }
  progress.end();
  const count = `${broken.length.toLocaleString('en')} ${broken.length === 1 ? 'entry breaks' : 'entries break'}`;
  const hint =
    'Repair each with import --on-conflict replace, set-status or a PATCH of its quantity; ' +
    `or remove it: npx petstore inventory remove ${broken[0]?.petId} ${stage.options}`;
  return { entries, broken, error: new CliError('invalid', `${count} the contract.`, { hint, problems: broken }) };
};
