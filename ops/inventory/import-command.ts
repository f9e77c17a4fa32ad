import { type Command, Option } from 'commander';
import pMap from 'p-map';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/errors.ts';
import { startProgress } from '../cli/progress.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { writesAtOnce } from '../stage/client-settings.ts';
import {
  addChangingCommand,
  type StageOptions,
  type Work,
  workOn,
} from '../stage/stage-command.ts';
import { columnNames } from './check-entry.ts';
import { checkStatuses } from './check-statuses.ts';
import { ProblemList } from './problem-list.ts';
import { readItems } from './read-items.ts';
import { findItems, isSame, plainItem, writeItem } from './table.ts';

const help = `
The file must be UTF-8: JSON as the API sends it, JSON objects one after another, or CSV whose first
line names the columns ${columnNames}, separated by commas, semicolons or tabs.
Everything is checked before anything is written. If the import is interrupted, run it again.`;

interface ImportOptions extends StageOptions {
  onConflict: 'fail' | 'skip' | 'replace';
  dryRun?: boolean;
}

export const addImportCommand = (inventory: Command, terminal: Terminal): Command =>
  addChangingCommand(inventory, 'import', 'load entries from a file')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option(
        '--on-conflict <action>',
        'what to do with entries that exist with different values',
      )
        .choices(['fail', 'skip', 'replace'])
        .default('fail'),
    )
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
  checkStatuses(
    work,
    items.map(({ status }) => status),
  );
  const differences = await lookUp(work, items);
  const { writes, counts } = planOf(items.length, differences, options);
  if (options.dryRun) {
    await printPlan(work, writes, counts);
    return;
  }
  if (writes.length > 0) {
    const { created, replaced } = counts;
    await work.confirmOnProd(`Create ${created} and replace ${replaced} entries in prod?`);
    const skipped = await carryOut(work, writes, options);
    counts.created -= skipped;
    counts.skipped += skipped;
  }
  const end = counts.created + counts.replaced > 0 ? '' : ' Nothing was written.';
  await work.print(counts, summaryOf(counts) + end);
};

/** An item of the file that the table does not hold as it is, and what the table holds instead. */
interface Difference {
  item: InventoryItem;
  seen: StoredItem | undefined;
}

/** Prints what an import would do. */
const printPlan = (work: Work, writes: Difference[], counts: Counts): Promise<void> => {
  const replacements = writes.filter(({ seen }) => seen !== undefined).map(replacementOf);
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
  skipped: number;
  unchanged: number;
}

/**
 * Returns what to write, and what the import has done once all is written.
 * @throws CliError if entries exist with other values, unless the options say what to do
 */
const planOf = (
  read: number,
  differences: Difference[],
  { onConflict }: ImportOptions,
): { writes: Difference[]; counts: Counts } => {
  const missing = differences.filter(({ seen }) => seen === undefined);
  const existing = differences.filter(({ seen }) => seen !== undefined);
  if (onConflict === 'fail' && existing.length > 0) {
    throw conflict(existing);
  }
  const replaced = onConflict === 'replace' ? existing : [];
  return {
    writes: [...missing, ...replaced],
    counts: {
      read,
      created: missing.length,
      replaced: replaced.length,
      skipped: existing.length - replaced.length,
      unchanged: read - differences.length,
    },
  };
};

const conflict = (existing: Difference[]): CliError => {
  const problems = new ProblemList();
  for (const { item, seen } of existing) {
    const stored = seen && toJson(plainItem(seen));
    problems.add(`petId ${item.petId} exists with different values: ${stored}.`);
  }
  return new CliError(
    `${problems}\nNothing was written. --on-conflict skip leaves these entries as they are, ` +
      '--on-conflict replace sets them to what the file says.',
  );
};

const summaryOf = ({ read, created, replaced, skipped, unchanged }: Counts): string =>
  `${read} read: ${created} created, ${replaced} replaced, ${skipped} skipped, ` +
  `${unchanged} unchanged.`;

/**
 * Writes the entries. Returns how many somebody else has created meanwhile, if such are skipped.
 * @throws CliError that names the entries that somebody else has changed meanwhile
 */
const carryOut = async (
  work: Work,
  writes: Difference[],
  { onConflict }: ImportOptions,
): Promise<number> => {
  const changed = await writeAll(work, writes).catch((error: unknown) => {
    tell(work.terminal, 'The import stopped. Run the same command again to continue.');
    throw error;
  });
  if (changed.count > 0 && onConflict !== 'skip') {
    const others = changed.count < writes.length ? 'The other entries were' : 'Nothing was';
    throw new CliError(
      `${changed}\n${others} written. Run the same command again to see the differences.`,
    );
  }
  return changed.count;
};

/** Writes all but the entries that somebody else has changed, which it returns as problems. */
const writeAll = async (
  { terminal, inventory }: Work,
  writes: Difference[],
): Promise<ProblemList> => {
  using progress = startProgress(terminal, 'Wrote', writes.length);
  const changed = new ProblemList();
  const write = async ({ item, seen }: Difference): Promise<void> => {
    if (await writeItem(inventory, item, seen)) {
      progress.add(1);
    } else {
      changed.add(`Someone else just changed petId ${item.petId}, so it was left as it is.`);
    }
  };
  await pMap(writes, write, { concurrency: writesAtOnce });
  return changed;
};
