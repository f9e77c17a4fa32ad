import { type Command, Option } from 'commander';
import pMap from 'p-map';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { visible } from '../../functions/shared/visible.ts';
import { CliError } from '../cli/errors.ts';
import { showProgress } from '../cli/progress.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { writesAtOnce } from '../stage/client-settings.ts';
import { addStageCommand, findStage, type StageOptions, type Table } from '../stage/stage.ts';
import { parseItems } from './parse-items.ts';
import { Problems } from './problems.ts';
import { readText } from './read-file.ts';
import { roundedPetIds } from './spreadsheet.ts';
import { isSame, plainItem, storedItems, writeItem } from './table.ts';

const help = `
The file is UTF-8, CSV or a JSON array as the API prints it. The first line of CSV names the columns
petId, quantity and status, separated by commas, semicolons or tabs. Everything is checked and looked
up before anything is written. If the import is interrupted, run it again.`;

interface ImportOptions extends StageOptions {
  onConflict: 'fail' | 'skip' | 'replace';
  dryRun?: boolean;
}

export const addImportCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(inventory, 'import', 'load entries from a file')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--on-conflict <action>', 'what to do with entries that exist with other values')
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
  const items = parseItems(await readText(file, terminal.stdin));
  const rounded = roundedPetIds(items.map(({ petId }) => petId));
  if (rounded > 0) {
    tell(terminal, warningOf(rounded));
  }
  const stage = await findStage(terminal, options);
  const plan = planOf(await lookUp(terminal, stage.inventory, items), options);
  if (options.dryRun) {
    const note = 'This was a dry run: nothing was written.';
    await print(terminal, options, plan.counts, `${summaryOf(plan.counts)} ${note}`);
    return;
  }
  if (stage.isProduction && plan.writes.length > 0) {
    const { created, replaced } = plan.counts;
    const question = `Create ${created} and replace ${replaced} entries in prod`;
    const doubt = rounded > 0 ? `, although ${rounded} petIds seem rounded` : '';
    await confirm(terminal, options, `${question}${doubt}?`);
  }
  const counts = await carryOut(terminal, stage.inventory, plan, options);
  await print(terminal, options, counts, summaryOf(counts));
};

const warningOf = (rounded: number): string =>
  `Warning: ${rounded.toLocaleString('en')} petIds of the file are so long that a spreadsheet, or ` +
  'a program such as jq, rounds them, and all of them end in zeros. They probably name other ' +
  'pets: compare them with where they come from.';

/** An item of the file, and what the table holds for its petId. */
interface Found {
  item: InventoryItem;
  seen?: StoredItem | undefined;
}

/** What the table holds for the items of a file. */
interface LookUp {
  missing: Found[];
  /** Items that it holds with other values. */
  differing: Found[];
  /** How many it holds as they are. */
  unchanged: number;
}

const lookUp = async (
  terminal: Terminal,
  table: Table,
  items: InventoryItem[],
): Promise<LookUp> => {
  using progress = showProgress(terminal, 'Looked up', items.length);
  // As many as one request may look up.
  const batches = Array.from({ length: Math.ceil(items.length / 100) }, (_batch, index) =>
    items.slice(100 * index, 100 * (index + 1)),
  );
  const lookUpBatch = async (batch: InventoryItem[]): Promise<LookUp> => {
    const petIds = batch.map(({ petId }) => petId);
    const stored = await storedItems(table, petIds);
    const byPetId = new Map(stored.map((each) => [each.petId.N, each]));
    progress.add(batch.length);
    const found = batch.map((item): Found => {
      return { item, seen: byPetId.get(String(item.petId)) };
    });
    const missing = found.filter(({ seen }) => seen === undefined);
    const differing = found.filter(({ item, seen }) => seen !== undefined && !isSame(seen, item));
    return { missing, differing, unchanged: batch.length - missing.length - differing.length };
  };
  const looked = await pMap(batches, lookUpBatch, { concurrency: 8 });
  return {
    missing: looked.flatMap(({ missing }) => missing),
    differing: looked.flatMap(({ differing }) => differing),
    unchanged: looked.reduce((sum, { unchanged }) => sum + unchanged, 0),
  };
};

interface Counts {
  read: number;
  created: number;
  replaced: number;
  skipped: number;
  unchanged: number;
}

interface Plan {
  writes: Found[];
  /** What the import has done once all is written. */
  counts: Counts;
}

/** @throws CliError if entries exist with other values, unless the options say what to do */
const planOf = (found: LookUp, { onConflict }: ImportOptions): Plan => {
  const { missing, differing, unchanged } = found;
  if (onConflict === 'fail' && differing.length > 0) {
    throw conflict(differing);
  }
  const replaced = onConflict === 'replace' ? differing : [];
  return {
    writes: [...missing, ...replaced],
    counts: {
      read: missing.length + differing.length + unchanged,
      created: missing.length,
      replaced: replaced.length,
      skipped: differing.length - replaced.length,
      unchanged,
    },
  };
};

const conflict = (differing: Found[]): CliError => {
  const problems = new Problems();
  for (const { item, seen } of differing) {
    const stored = seen === undefined ? '' : visible(toJson(plainItem(seen)));
    problems.add(`petId ${item.petId} exists with other values: ${stored}.`);
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
 * Writes what the plan says, but leaves entries as they are that somebody else has changed
 * meanwhile. Returns what was done.
 */
const carryOut = async (
  terminal: Terminal,
  table: Table,
  { writes, counts }: Plan,
  { onConflict }: ImportOptions,
): Promise<Counts> => {
  const changed = await writeAll(terminal, table, writes).catch((error: unknown) => {
    tell(terminal, 'The import stopped. Run the same command again: it goes on from there.');
    throw error;
  });
  if (onConflict === 'skip') {
    const skipped = counts.skipped + changed.length;
    return { ...counts, skipped, created: counts.created - changed.length };
  }
  if (changed.length > 0) {
    const problems = new Problems();
    for (const { petId } of changed) {
      problems.add(`petId ${petId} was changed by somebody else just now, and was left so.`);
    }
    const next = 'The other entries were written. Run the same command again to see.';
    throw new CliError(`${problems}\n${next}`);
  }
  return counts;
};

/** Writes items. Returns those that it left, because somebody else has changed them. */
const writeAll = async (
  terminal: Terminal,
  table: Table,
  writes: Found[],
): Promise<InventoryItem[]> => {
  using progress = showProgress(terminal, 'Wrote', writes.length);
  const changed: InventoryItem[] = [];
  const write = async ({ item, seen }: Found): Promise<void> => {
    if (!(await writeItem(table, item, seen))) {
      changed.push(item);
    }
    progress.add(1);
  };
  await pMap(writes, write, { concurrency: writesAtOnce });
  return changed;
};
