import { violationOf } from '../../functions/inventory/stored-entry.ts';
import { CliError } from '../cli/cli-error.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Table } from '../stage/stage.ts';
import { Entries } from './entries.ts';
import { fromStored, scanEntries } from './entries-table.ts';

/** An entry that breaks the contract. */
export interface Broken {
  /** In the form that `remove` takes. */
  petId: string;
  /** What is wrong in it. */
  reason: string;
}

/** Reads the whole table. `entries` are those that keep the contract. */
export const readTable = async (terminal: Terminal, table: Table): Promise<{ entries: Entries; broken: Broken[] }> => {
  const entries = new Entries();
  const broken: Broken[] = [];
  const reading = showProgress(terminal, 'Read');
  for await (const page of scanEntries(table)) {
    if (terminal.signal.aborted) {
      throw new CliError('interrupted', 'Interrupted.');
    }
    for (const stored of page) {
      const reason = violationOf(stored);
      if (reason === undefined) {
        entries.add(fromStored(stored));
      } else {
        // A negative number with an E would be taken for an option.
        broken.push({ petId: stored.petId.N.toLowerCase(), reason });
      }
    }
    reading.update(entries.length + broken.length);
  }
  reading.end();
  return { entries, broken };
};

/** What to do about them, for an error. */
export const brokenEntries = (broken: Broken[], options: string): CliError => {
  const [{ petId } = { petId: '' }] = broken;
  const message = `${broken.length.toLocaleString('en')} ${broken.length === 1 ? 'entry breaks' : 'entries break'} the contract.`;
  const hint =
    'Repair each with import --on-conflict replace, set-status or a PATCH of its quantity; ' +
    `or remove it: npx petstore inventory remove ${petId} ${options}`;
  return new CliError('invalid', message, { hint, problems: broken });
};
