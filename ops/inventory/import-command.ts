import type { Command } from 'commander';
import pMap from 'p-map';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { CliError, listed } from '../cli/errors.ts';
import { startProgress } from '../cli/progress.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { writesAtOnce } from '../stage/client-settings.ts';
import {
  addChangingCommand,
  type StageOptions,
  type Work,
  workOn,
} from '../stage/stage-command.ts';
import { names, readItems } from './read-items.ts';
import { findItems, isSame, plainItem, writeItem } from './table.ts';

const help = `
The file must be UTF-8: JSON as the API sends it, a JSON object on each line, or CSV whose first
line names the columns ${names.join(', ')}, separated by commas, semicolons or tabs.
Everything is checked before anything is written. If the import is interrupted, run it again.`;

interface ImportOptions extends StageOptions {
  replace?: boolean;
  dryRun?: boolean;
}

export const addImportCommand = (inventory: Command, terminal: Terminal): Command =>
  addChangingCommand(inventory, 'import', 'load entries from a file')
    .argument('<file>', 'the file, or - for standard input')
    .option('--replace', 'replace entries that exist with different values')
    .option('--dry-run', 'check everything and write nothing')
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) => importFile(terminal, file, options));

const importFile = async (
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<void> => {
  const items = await readItems(terminal, file);
  const work = await workOn(terminal, options);
  const writes = await lookUp(work, items);
  const existing = writes.filter(({ seen }) => seen !== undefined);
  if (!options.replace && existing.length > 0) {
    throw conflict(existing);
  }
  const counts = {
    read: items.length,
    created: writes.length - existing.length,
    replaced: existing.length,
    unchanged: items.length - writes.length,
  };
  if (options.dryRun) {
    await printPlan(work, existing, counts);
    return;
  }
  if (writes.length === 0) {
    await work.print(counts, `${summaryOf(counts)} Nothing was written.`);
    return;
  }
  const { created, replaced } = counts;
  await work.confirmOnProd(`Create ${created} and replace ${replaced} entries in prod?`);
  await carryOut(work, writes);
  await work.print(counts, summaryOf(counts));
};

/** An item of the file that the table does not hold as it is, and what the table holds instead. */
interface Difference {
  item: InventoryItem;
  seen: StoredItem | undefined;
}

/** Prints what an import would do. */
const printPlan = (work: Work, existing: Difference[], counts: Counts): Promise<void> => {
  const replacements = existing.map(replacementOf);
  const lines = replacements.map(
    ({ petId, from, to }) => `petId ${petId}: ${toJson(from)} would become ${toJson(to)}.`,
  );
  const end = `${summaryOf(counts)} This was a dry run: nothing was written.`;
  return work.print({ ...counts, replacements }, [...lines, end].join('\n'));
};

/** Returns what an item of the file would change of the one that the table holds. */
const replacementOf = ({ item, seen }: Difference) => {
  const { petId, ...to } = item;
  const { petId: _, ...from } = plainItem(seen as StoredItem);
  return { petId, from, to };
};

const lookUp = async (
  { terminal, inventory }: Work,
  items: InventoryItem[],
): Promise<Difference[]> => {
  using progress = startProgress(terminal, 'Looked up', items.length);
  // As many as one request may look up.
  const batches = Array.from({ length: Math.ceil(items.length / 100) }, (_batch, index) =>
    items.slice(100 * index, 100 * (index + 1)),
  );
  const differencesOf = async (batch: InventoryItem[]): Promise<Difference[]> => {
    const petIds = batch.map(({ petId }) => petId);
    const found = await findItems(inventory, petIds);
    progress.add(batch.length);
    return batch
      .map((item) => ({ item, seen: found.get(String(item.petId)) }))
      .filter(({ item, seen }) => seen === undefined || !isSame(seen, item));
  };
  return (await pMap(batches, differencesOf, { concurrency: 8 })).flat();
};

interface Counts {
  read: number;
  created: number;
  replaced: number;
  unchanged: number;
}

const conflict = (existing: Difference[]): CliError => {
  const problems = existing.map(({ item, seen }) => {
    const stored = seen && toJson(plainItem(seen));
    return `petId ${item.petId} exists with different values: ${stored}.`;
  });
  return new CliError(
    `${listed(problems)}\nNothing was written. --replace sets these entries to what the file says.`,
  );
};

const summaryOf = ({ read, created, replaced, unchanged }: Counts): string =>
  `${read} read: ${created} created, ${replaced} replaced, ${unchanged} unchanged.`;

/**
 * Writes the entries.
 * @throws CliError that names the entries that somebody else has changed meanwhile
 */
const carryOut = async (work: Work, writes: Difference[]): Promise<void> => {
  const changed = await writeAll(work, writes).catch((error: unknown) => {
    tell(work.terminal, 'The import stopped. Run the same command again to continue.');
    throw error;
  });
  if (changed.length > 0) {
    const written = changed.length < writes.length ? 'All others were' : 'Nothing was';
    const advice = 'Run the same command again to see the differences.';
    throw new CliError(`${listed(changed)}\n${written} written. ${advice}`);
  }
};

/** Writes all but the entries that somebody else has changed, which it returns as problems. */
const writeAll = async ({ terminal, inventory }: Work, writes: Difference[]): Promise<string[]> => {
  using progress = startProgress(terminal, 'Wrote', writes.length);
  const changed: string[] = [];
  const write = async ({ item, seen }: Difference): Promise<void> => {
    if (await writeItem(inventory, item, seen)) {
      progress.add(1);
    } else {
      changed.push(`Someone else just changed petId ${item.petId}, so it was left as it is.`);
    }
  };
  await pMap(writes, write, { concurrency: writesAtOnce });
  return changed;
};
