import { Option } from 'commander';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/cli-error.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { hinted } from '../cli/to-cli-error.ts';
import type { Stage } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import {
  type ConflictAction,
  conflictActions,
  lookUp,
  type Plan,
  planWrites,
} from './plan-writes.ts';
import { readItems } from './read-items.ts';
import { plainItem } from './stored-items.ts';
import { tellProblems } from './tell-problems.ts';
import { writeItems } from './write-items.ts';

interface ImportOptions extends StageOptions {
  onConflict: ConflictAction;
  dryRun?: boolean;
}

const columnsHelp = `
An entry has three columns or, in JSON, three properties:
  petId     an integer from -9223372036854775808 to 9223372036854775807
  quantity  an integer from 0 to 9007199254740991
  status    available, pending or sold
The file is UTF-8. The first line of CSV names the columns, in any order. They are separated by
commas, semicolons or tabs. Spreadsheets round long petIds unless their column is formatted as text.`;

export const importCommand = (terminal: Terminal): PetstoreCommand => {
  const onConflict = new Option(
    '--on-conflict <action>',
    'what to do with entries that exist with other values',
  );
  return stageCommand('import', 'load entries from CSV, a JSON array or NDJSON')
    .permissions('dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem')
    .examples(
      'inventory import pets.csv --dry-run --stage prod',
      'inventory import pets.ndjson --on-conflict replace --stage staging',
      'inventory import - --local < pets.json',
    )
    .argument('<file>', 'the file, or - for standard input')
    .addOption(onConflict.choices(conflictActions).default('fail'))
    .option('--dry-run', 'check everything and write nothing')
    .addOption(yesOption())
    .addHelpText('after', columnsHelp)
    .action((file: string, options: ImportOptions) => importFile(terminal, file, options));
};

/** Imports a file. Everything in it is checked and looked up before anything is written. */
const importFile = async (
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<void> => {
  const { onConflict, dryRun } = options;
  const items = await readItems(terminal, file, options);
  const stage = await findStage(terminal, options);
  const found = await lookUp(terminal, stage.inventory, items);
  const plan = planWrites(found, onConflict);
  assertNoConflicts(terminal, plan, options);
  if (dryRun) {
    const figures = { read: items.length, ...plan.counts };
    print(terminal, options, figures, `${summaryOf(figures)} Nothing was written.`);
  } else {
    await confirmWrites(terminal, stage, plan, options);
    await writePlan(terminal, stage, plan, options);
  }
};

const assertNoConflicts = (
  terminal: Terminal,
  { conflicts }: Plan,
  options: ImportOptions,
): void => {
  if (conflicts.length === 0) {
    return;
  }
  const problems = conflicts.map(({ place, item: { petId }, seen }) => {
    const reason = `petId ${petId} exists already: ${seen && toJson(plainItem(seen))}.`;
    return { ...place, reason, column: 'petId', value: String(petId) };
  });
  tellProblems(terminal, options, problems);
  const count = conflicts.length.toLocaleString('en');
  const found = `Entries that are in the table already, with other values: ${count}`;
  const hint =
    '--on-conflict skip leaves them as they are, ' +
    '--on-conflict replace sets them to what the file says.';
  throw new CliError('conflict', `${found}. Nothing was written.`, { hint, problems });
};

/** Asks before anything is written to prod. */
const confirmWrites = async (
  terminal: Terminal,
  stage: Stage,
  { writes, counts }: Plan,
  { yes }: ImportOptions,
): Promise<void> => {
  if (!stage.isProduction || writes.length === 0) {
    return;
  }
  const [creations, replacements] = [counts.toCreate, counts.toReplace].map((count) =>
    count.toLocaleString('en'),
  );
  const question = `Create ${creations} and replace ${replacements} entries in prod?`;
  await confirm(terminal, { question, isConfirmed: yes, signal: terminal.signal });
};

const writePlan = async (
  terminal: Terminal,
  stage: Stage,
  { writes, counts: { unchanged, skipped } }: Plan,
  options: ImportOptions,
): Promise<void> => {
  const { onConflict } = options;
  const written = await writeItems(terminal, { table: stage.inventory, writes, onConflict });
  const { counts, changed: problems, failure } = written;
  const figures = {
    read: writes.length + unchanged + skipped,
    ...counts,
    unchanged,
    skipped: skipped + counts.skipped,
  };
  tellProblems(terminal, options, problems);
  print(terminal, options, { ...figures, problems }, summaryOf(figures));
  if (figures.left > 0) {
    const hint = 'Run the same command again: it continues where this one stopped.';
    throw hinted(failure, hint, problems);
  }
  if (problems.length > 0) {
    const message =
      'Some entries were changed by someone else during the import, and were left as they are.';
    throw new CliError('conflict', message, { problems });
  }
};

/** How the summary names figures whose names are no words. */
const labels: Record<string, string> = {
  toCreate: 'to create',
  toReplace: 'to replace',
  changed: 'changed by someone else and left as they are',
  left: 'not yet written',
};

/** Returns the summary of an import, whose other figures add up to `read`. */
const summaryOf = ({ read, ...others }: { read: number; [figure: string]: number }): string => {
  const parts = Object.entries(others)
    .filter(([, entries]) => entries > 0)
    .map(([figure, entries]) => `${entries.toLocaleString('en')} ${labels[figure] ?? figure}`);
  const total = `${read.toLocaleString('en')} read`;
  return parts.length > 0 ? `${total}: ${parts.join(', ')}.` : `${total}.`;
};
