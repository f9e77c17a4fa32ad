import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { explain } from '../cli/explain-error.ts';
import { clearBar, showProgress } from '../cli/progress.ts';
import { confirm, print, type Terminal, tell } from '../cli/terminal.ts';
import { inventoryOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import type { Wrong } from './check-entry.ts';
import { checkEntries, type Observer, type OnConflict, planWrites, writeEntries } from './import-steps.ts';
import { type Format, formats, openSource } from './read-entries.ts';

interface ImportOptions extends StageOptions {
  format?: Format;
  onConflict: OnConflict;
  skipInvalid?: boolean;
  dryRun?: boolean;
}

/** Of the problems of an import, as many as `--json` lists. */
const mostProblems = 10_000;

export const importCommand = (terminal: Terminal): Command =>
  stageCommand('import', 'load entries from CSV, a JSON array or NDJSON', [
    'inventory import pets.csv --local',
    'inventory import pets.csv --dry-run --stage prod',
    'inventory import pets.ndjson --on-conflict replace --stage staging',
    'inventory import - --format json --local < pets.json',
  ])
    .argument('<file>', 'the file, or - for standard input')
    .addOption(new Option('--format <format>', 'of the file (default: told by its first character)').choices(formats))
    .addOption(
      new Option(
        '--on-conflict <action>',
        'if an entry exists and differs: write nothing at all, or skip or replace it',
      )
        .choices(['fail', 'skip', 'replace'])
        .default('fail'),
    )
    .option('--skip-invalid', 'import the valid entries, though others are invalid')
    .option('--dry-run', 'check everything and write nothing')
    .addOption(yesOption())
    .action(async (file: string, { format, onConflict, skipInvalid, dryRun, ...options }: ImportOptions) => {
      const { json } = options;
      const { signal } = terminal;
      const size = file === '-' ? undefined : await sizeOf(file, terminal);
      const stage = await findStage(terminal, options);
      const table = inventoryOf(stage);

      let bytesRead = 0;
      const stream: Readable = file === '-' ? terminal.stdin : createReadStream(file);
      const bytes = async function* () {
        for await (const chunk of addAbortSignal(signal, stream)) {
          bytesRead += chunk.length;
          yield chunk;
        }
      };
      const stop = (error: unknown) => {
        throw signal.aborted ? new CliError('interrupted', 'Interrupted. Nothing was written.') : error;
      };
      const source = await openSource(bytes(), format).catch(stop);
      const problems: (Wrong & { line?: number; element?: number })[] = [];
      const observer: Observer = {
        signal,
        progress: (work) => showProgress(terminal, work),
        report: (place, wrong) => {
          if (!json) {
            clearBar(terminal);
            tell(terminal, `${source.unit === 'line' ? 'Line' : 'Element'} ${place}: ${wrong.reason}`);
          } else if (problems.length < mostProblems) {
            problems.push({ [source.unit]: place, ...wrong });
          }
        },
      };
      const { entries, ...read } = await checkEntries(source.read, () => size && bytesRead / size, observer).catch(
        stop,
      );
      const plan = await planWrites(table, entries, onConflict, observer).catch(stop);
      if (read.invalid > 0 && !skipInvalid) {
        const message = `${count(read.invalid)} invalid. Nothing was written.`;
        throw new CliError('invalid', message, { hint: '--skip-invalid imports the others.', problems });
      }
      if (plan.conflicts > 0) {
        const message = `${count(plan.conflicts)} in the table already, with other values. Nothing was written.`;
        const hint =
          '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.';
        throw new CliError('conflict', message, { hint, problems });
      }
      const [toCreate, toReplace] = [plan.creates.length, plan.replaces.length];
      if (dryRun) {
        const figures = { ...read, toCreate, toReplace, unchanged: plan.unchanged, skipped: plan.skipped };
        print(terminal, options, { ...figures, problems }, `${summaryOf(figures)} Nothing was written.`);
        return;
      }
      if (stage.isProduction) {
        await confirm(terminal, `Create ${toCreate} and replace ${toReplace} entries in prod?`, options.yes);
      }
      const written = await writeEntries(table, entries, plan, onConflict, observer).catch((error) => {
        const { code, message, hint, cause } = explain(error);
        throw new CliError(code, message, { hint: [hint, again].join(' ').trim(), problems, cause });
      });
      const summary = { ...read, ...written };
      print(terminal, options, { ...summary, problems }, summaryOf(summary));
      if (written.left > 0) {
        throw new CliError('interrupted', 'Interrupted.', { hint: again });
      }
      if (written.changed > 0) {
        throw new CliError('conflict', `${count(written.changed)} left to others who changed them meanwhile.`, {
          problems,
        });
      }
    });

const again = 'Run the same command again: it goes on where this one stopped.';

const count = (entries: number): string =>
  `${entries.toLocaleString('en')} ${entries === 1 ? 'entry is' : 'entries are'}`;

const labels = {
  toCreate: 'to create',
  toReplace: 'to replace',
  created: 'created',
  replaced: 'replaced',
  unchanged: 'unchanged',
  skipped: 'skipped',
  invalid: 'invalid',
  changed: 'left to others who changed them meanwhile',
  left: 'not yet written',
};

/** The figures other than `read` add up to it. */
const summaryOf = (figures: { read: number } & Partial<Record<keyof typeof labels, number>>): string => {
  const parts = Object.entries(labels)
    .map(([key, label]) => ({ label, entries: figures[key as keyof typeof labels] ?? 0 }))
    .filter(({ entries }) => entries > 0)
    .map(({ label, entries }) => `${entries.toLocaleString('en')} ${label}`);
  return `${figures.read.toLocaleString('en')} read${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
};

/**
 * The size of a file to import, in bytes. Tells of a journal that an older version has left beside it.
 * @throws CliError if there is no such file
 */
const sizeOf = async (file: string, terminal: Terminal): Promise<number> => {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new CliError('invalid', `There is no file ${file}.`) : error;
  });
  if (found.isDirectory()) {
    throw new CliError('invalid', `${file} is a directory.`);
  }
  if (found.isFile() && (await isJournal(file))) {
    throw new CliError('invalid', `${file} is the journal of an import, which an older version wrote.`, {
      hint: 'Import the file itself again: that goes on where it stopped. Then remove the journal.',
    });
  }
  const journal = `${file}.import`;
  if (await isJournal(journal)) {
    tell(terminal, `${journal} is a journal that an older version wrote. It is not needed: remove it.`);
  }
  return found.size;
};

const isJournal = async (path: string): Promise<boolean> => {
  const start = createReadStream(path, { encoding: 'utf8', end: 4_000 });
  const text = await start.toArray().catch(() => []);
  return /^\{"input":.*"tableId":/.test(text.join(''));
};
