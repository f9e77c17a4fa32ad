import { createReadStream } from 'node:fs';
import { Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { openInput } from '../cli/files.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { withHint } from '../cli/to-cli-error.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { checkEntries, type Import, planWrites, writeEntries } from './import-steps.ts';
import { type Format, formats, openSource } from './read-entries.ts';

interface ImportOptions extends StageOptions {
  format?: Format;
  onConflict: Import['onConflict'];
  skipInvalid?: boolean;
  dryRun?: boolean;
}

export const importCommand = (terminal: Terminal): PetstoreCommand => {
  const format = new Option(
    '--format <format>',
    'format of the file (default: detected from its first character)',
  );
  const onConflict = new Option(
    '--on-conflict <action>',
    'what to do with entries that exist with other values',
  );
  return stageCommand('import', 'load entries from CSV, a JSON array or NDJSON')
    .examples(
      'inventory import pets.csv --dry-run --stage prod',
      'inventory import pets.ndjson --on-conflict replace --stage staging',
      'inventory import - --format json --local < pets.json',
    )
    .argument('<file>', 'the file, or - for standard input')
    .addOption(format.choices(formats))
    .addOption(onConflict.choices(['fail', 'skip', 'replace']).default('fail'))
    .option('--skip-invalid', 'import the valid entries even if others are invalid')
    .option('--dry-run', 'check everything and write nothing')
    .addOption(yesOption())
    .action((file: string, options: ImportOptions) =>
      importFile(terminal, file, options).catch((error) => {
        // Once writing has begun, Ctrl-C ends in a CliError. Before that, a reader that is stopped
        // may throw anything.
        const isStopped = terminal.signal.aborted && !(error instanceof CliError);
        throw isStopped ? new CliError('interrupted', 'Interrupted. Nothing was written.') : error;
      }),
    );
};

const importFile = async (
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<void> => {
  const { input, fraction } = openInput(terminal, file);
  await nameJournal(`${file}.import`, terminal);
  const stage = await findStage(terminal, options);
  const source = await openSource(input, options.format);
  const problems: unknown[] = [];
  const report: Import['report'] = (place, problem) => {
    if (!options.json) {
      tell(terminal, `${source.unit === 'line' ? 'Line' : 'Element'} ${place}: ${problem.reason}`);
    } else if (problems.length < 10_000) {
      problems.push({ [source.unit]: place, ...problem });
    }
  };
  const job = { terminal, table: stage.inventory, source, onConflict: options.onConflict, report };
  const { entries, counts: checked } = await checkEntries(job, fraction);
  const plan = await planWrites(job, entries, checked.read - checked.invalid);
  const { conflicts, ...planned } = plan.counts;
  if (checked.invalid > 0 && !options.skipInvalid) {
    const message = `${countOf(checked.invalid)} invalid. Nothing was written.`;
    throw new CliError('invalid', message, {
      hint: '--skip-invalid imports the others.',
      problems,
    });
  }
  if (conflicts > 0) {
    const message = `${countOf(conflicts)} in the table already, with other values. Nothing was written.`;
    const hint =
      '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.';
    throw new CliError('conflict', message, { hint, problems });
  }
  const finish = (counts: Record<string, number>, more = '') => {
    const figures = { ...checked, ...counts };
    print(terminal, options, { ...figures, problems }, `${summaryOf(figures)}${more}`);
  };
  if (options.dryRun) {
    return finish(planned, ' Nothing was written.');
  }
  const question = `Create ${planned.toCreate} and replace ${planned.toReplace} entries in prod?`;
  await confirm(terminal, {
    question,
    isConfirmed: options.yes || !stage.isProduction,
    signal: terminal.signal,
  });
  const { counts: written, failure } = await writeEntries(job, entries, plan);
  finish(written);
  if (written.left > 0) {
    withHint('Run the same command again: it continues where this one stopped.', problems)(failure);
  }
  if (written.changed > 0) {
    const message =
      'Some entries were changed by someone else during the import, and were left as they are.';
    throw new CliError('conflict', message, { problems });
  }
};

const countOf = (entries: number): string =>
  `${entries.toLocaleString('en')} ${entries === 1 ? 'entry is' : 'entries are'}`;

const labels: Record<string, string> = {
  toCreate: 'to create',
  toReplace: 'to replace',
  changed: 'changed by someone else and left as they are',
  left: 'not yet written',
};

/** Returns the summary of an import, whose other figures add up to `read`. */
const summaryOf = ({ read, ...figures }: { read: number; [figure: string]: number }): string => {
  const parts = Object.entries(figures)
    .filter(([, entries]) => entries > 0)
    .map(([figure, entries]) => `${entries.toLocaleString('en')} ${labels[figure] ?? figure}`);
  return `${read.toLocaleString('en')} read${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
};

/**
 * Tells the operator to remove a journal that an older version left, because an import does not use
 * it.
 */
const nameJournal = async (path: string, terminal: Terminal): Promise<void> => {
  const start = createReadStream(path, { end: 1_000 }).toArray();
  if (/^\{"input":.*"tableId":/.test(String(await start.catch(() => '')))) {
    tell(
      terminal,
      `${path} is a journal that an older version left. It is no longer used: remove it.`,
    );
  }
};
