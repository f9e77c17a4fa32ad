import { createReadStream } from 'node:fs';
import { type Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { explain } from '../cli/explain-error.ts';
import { openInput } from '../cli/input-file.ts';
import { clearBar } from '../cli/progress.ts';
import { confirm, print, type Terminal, tell } from '../cli/terminal.ts';
import { inventoryOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { checkEntries, type Import, planWrites, writeEntries } from './import-steps.ts';
import { type Format, formats, openSource } from './read-entries.ts';

interface ImportOptions extends StageOptions {
  format?: Format;
  onConflict: Import['onConflict'];
  skipInvalid?: boolean;
  dryRun?: boolean;
}

const again = 'Run the same command again: it continues where this one stopped.';

export const importCommand = (terminal: Terminal): Command =>
  stageCommand('import', 'load entries from CSV, a JSON array or NDJSON', [
    'inventory import pets.csv --dry-run --stage prod',
    'inventory import pets.ndjson --on-conflict replace --stage staging',
    'inventory import - --format json --local < pets.json',
  ])
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'of the file (default: detected from its first character)').choices(formats),
    )
    .addOption(
      new Option(
        '--on-conflict <action>',
        'if an entry is there with other values: write nothing, or skip or replace it',
      )
        .choices(['fail', 'skip', 'replace'])
        .default('fail'),
    )
    .option('--skip-invalid', 'import the valid entries, though others are invalid')
    .option('--dry-run', 'check everything and write nothing')
    .addOption(yesOption())
    .action(async (file: string, { format, onConflict, skipInvalid, dryRun, ...options }: ImportOptions) => {
      const { signal } = terminal;
      const input = await openInput(terminal, file);
      await nameJournal(`${file}.import`, terminal);
      const stage = await findStage(terminal, options);
      const problems: unknown[] = [];

      const prepare = async () => {
        const source = await openSource(input.chunks, format);
        const report: Import['report'] = (place, wrong) => {
          if (!options.json) {
            clearBar(terminal);
            tell(terminal, `${source.unit === 'line' ? 'Line' : 'Element'} ${place}: ${wrong.reason}`);
          } else if (problems.length < 10_000) {
            problems.push({ [source.unit]: place, ...wrong });
          }
        };
        const job: Import = { terminal, table: inventoryOf(stage), source, onConflict, report };
        const { entries, ...checked } = await checkEntries(job, input.fraction);
        return { job, entries, checked, plan: await planWrites(job, entries) };
      };
      const { job, entries, checked, plan } = await prepare().catch((error) => {
        throw signal.aborted ? new CliError('interrupted', 'Interrupted. Nothing was written.') : error;
      });
      const { conflicts, writes: _writes, seen: _seen, ...planned } = plan;
      if (checked.invalid > 0 && !skipInvalid) {
        const message = `${countOf(checked.invalid)} invalid. Nothing was written.`;
        throw new CliError('invalid', message, { hint: '--skip-invalid imports the others.', problems });
      }
      if (conflicts > 0) {
        const message = `${countOf(conflicts)} in the table already, with other values. Nothing was written.`;
        const hint =
          '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.';
        throw new CliError('conflict', message, { hint, problems });
      }
      if (dryRun) {
        const figures = { ...checked, ...planned };
        print(terminal, options, { ...figures, problems }, `${summaryOf(figures)} Nothing was written.`);
        return;
      }
      if (stage.isProduction) {
        const question = `Create ${planned.toCreate} and replace ${planned.toReplace} entries in prod?`;
        await confirm(terminal, question, options.yes);
      }
      const written = await writeEntries(job, entries, plan).catch((error) => {
        const { code, message, hint = '', cause } = explain(error);
        throw new CliError(code, message, { hint: `${hint} ${again}`.trim(), problems, cause });
      });
      const figures = { ...checked, ...written };
      print(terminal, options, { ...figures, problems }, summaryOf(figures));
      if (written.left > 0) {
        throw new CliError('interrupted', 'Interrupted.', { hint: again });
      }
      if (written.changed > 0) {
        throw new CliError('conflict', 'Some entries were left to others who changed them meanwhile.', { problems });
      }
    });

const countOf = (entries: number): string =>
  `${entries.toLocaleString('en')} ${entries === 1 ? 'entry is' : 'entries are'}`;

const labels: Record<string, string> = {
  toCreate: 'to create',
  toReplace: 'to replace',
  changed: 'left to others who changed them meanwhile',
  left: 'not yet written',
};

/** The other figures add up to `read`. */
const summaryOf = ({ read, ...figures }: Record<string, number> & { read: number }): string => {
  const parts = Object.entries(figures)
    .filter(([, entries]) => entries > 0)
    .map(([figure, entries]) => `${entries.toLocaleString('en')} ${labels[figure] ?? figure}`);
  return `${read.toLocaleString('en')} read${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
};

/** An import needs no journal any more. */
const nameJournal = async (path: string, terminal: Terminal): Promise<void> => {
  const start = await createReadStream(path, { end: 1_000 })
    .toArray()
    .catch(() => []);
  if (/^\{"input":.*"tableId":/.test(String(start))) {
    tell(terminal, `${path} is a journal that an older version left. It is not used any more: remove it.`);
  }
};
