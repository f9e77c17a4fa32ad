import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import pMap from 'p-map';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { CliError } from '../cli/errors.ts';
import { showProgress } from '../cli/progress.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { writesAtOnce } from '../stage/client-settings.ts';
import { addStageCommand, findStage, type StageOptions, type Table } from '../stage/stage.ts';
import { parseItems } from './parse-items.ts';
import { storedItems, writeItem } from './table.ts';

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

/** An item of the file, and what the table holds for its petId. */
interface Found {
  item: InventoryItem;
  seen: StoredItem | undefined;
}

const importFile = async (
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<void> => {
  const { onConflict, dryRun } = options;
  const bytes = await (file === '-' ? buffer(terminal.stdin) : readFile(file));
  const items = [...parseItems(bytes).values()];
  const stage = await findStage(terminal, options);
  const found = await lookUp(terminal, stage.inventory, items);

  const created = found.filter(({ seen }) => seen === undefined);
  const differing = found.filter(isDifferent);
  if (onConflict === 'fail' && differing.length > 0) {
    throw new CliError(`${differing.map(conflictOf).join('\n')}\n${conflictHelp}`);
  }
  const writes = onConflict === 'replace' ? [...created, ...differing] : created;
  const counts = {
    read: items.length,
    created: created.length,
    replaced: writes.length - created.length,
    skipped: found.length - writes.length - unchangedIn(found),
    unchanged: unchangedIn(found),
  };
  const numbers = `${counts.created} created, ${counts.replaced} replaced, ${counts.skipped} skipped`;
  const summary = `${counts.read} read: ${numbers}, ${counts.unchanged} unchanged.`;
  if (dryRun) {
    await print(terminal, options, counts, `${summary} This was a dry run: nothing was written.`);
    return;
  }
  if (stage.isProduction && writes.length > 0) {
    const question = `Create ${counts.created} and replace ${counts.replaced} entries in prod?`;
    await confirm(terminal, options, question);
  }
  await writeAll(terminal, stage.inventory, writes);
  await print(terminal, options, counts, summary);
};

const isSame = ({ item, seen }: Found): boolean =>
  seen?.quantity?.N === String(item.quantity) && seen.status?.S === item.status;

const isDifferent = (found: Found): boolean => found.seen !== undefined && !isSame(found);

const unchangedIn = (found: Found[]): number => found.filter(isSame).length;

const conflictOf = ({ item, seen }: Found): string =>
  `petId ${item.petId} is in the table with ${seen?.quantity?.N}, ${seen?.status?.S}.`;

const conflictHelp =
  'Nothing was written. --on-conflict skip leaves these entries as they are, ' +
  '--on-conflict replace sets them to what the file says.';

/** Looks up what the table holds for each item. */
const lookUp = async (
  terminal: Terminal,
  table: Table,
  items: InventoryItem[],
): Promise<Found[]> => {
  using progress = showProgress(terminal, 'Looked up', items.length);
  // As many as one request may look up.
  const batches = Array.from({ length: Math.ceil(items.length / 100) }, (_batch, index) =>
    items.slice(100 * index, 100 * (index + 1)),
  );
  const lookUpBatch = async (batch: InventoryItem[]): Promise<Found[]> => {
    const stored = await storedItems(
      table,
      batch.map(({ petId }) => String(petId)),
    );
    const byPetId = new Map(stored.map((each) => [each.petId.N, each]));
    progress.add(batch.length);
    return batch.map((item) => ({ item, seen: byPetId.get(String(item.petId)) }));
  };
  return (await pMap(batches, lookUpBatch, { concurrency: 8 })).flat();
};

/** Writes all items. Leaves those as they are that somebody else has changed meanwhile. */
const writeAll = async (terminal: Terminal, table: Table, writes: Found[]): Promise<void> => {
  const changed: InventoryItem[] = [];
  {
    using progress = showProgress(terminal, 'Wrote', writes.length);
    const write = async ({ item, seen }: Found): Promise<void> => {
      if (!(await writeItem(table, item, seen))) {
        changed.push(item);
      }
      progress.add(1);
    };
    await pMap(writes, write, { concurrency: writesAtOnce });
  }
  for (const { petId } of changed) {
    tell(terminal, `petId ${petId} was changed by somebody else just now, and was left so.`);
  }
  if (changed.length > 0) {
    throw new CliError('The other entries were written. Run the same command again to see.');
  }
};
