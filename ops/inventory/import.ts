import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { explain } from '../cli/explain-error.ts';
import { clearBar } from '../cli/progress.ts';
import { confirm, print, type Terminal, tell } from '../cli/terminal.ts';
import { inventoryOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { checkEntries, type OnConflict, planWrites, type Report, writeEntries } from './import-steps.ts';
import { type Format, formats, openSource, type Source } from './read-entries.ts';

interface ImportOptions extends StageOptions {
  format?: Format;
  onConflict: OnConflict;
  skipInvalid?: boolean;
  dryRun?: boolean;
}

/** The most problems that `--json` lists. */
const mostProblems = 10_000;

const again = 'Run the same command again: it goes on where this one stopped.';

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
      const { signal } = terminal;
      const size = file === '-' ? undefined : await sizeOf(file, terminal);
      const stage = await findStage(terminal, options);
      const table = inventoryOf(stage);
      const stream: Readable = file === '-' ? terminal.stdin : createReadStream(file);
      let bytesRead = 0;
      const bytes = async function* () {
        for await (const chunk of addAbortSignal(signal, stream)) {
          bytesRead += chunk.length;
          yield chunk;
        }
      };
      let unit: Source['unit'] = 'line';
      const problems: unknown[] = [];
      const report: Report = (place, wrong) => {
        if (!options.json) {
          clearBar(terminal);
          tell(terminal, `${unit === 'line' ? 'Line' : 'Element'} ${place}: ${wrong.reason}`);
        } else if (problems.length < mostProblems) {
          problems.push({ [unit]: place, ...wrong });
        }
      };
      const fail = (code: 'invalid' | 'conflict', entries: number, message: string, hint: string) => {
        const count = `${entries.toLocaleString('en')} ${entries === 1 ? 'entry is' : 'entries are'}`;
        throw new CliError(code, `${count} ${message}. Nothing was written.`, { hint, problems });
      };

      const prepare = async () => {
        const source = await openSource(bytes(), format);
        unit = source.unit;
        const checked = await checkEntries(terminal, source, () => size && bytesRead / size, report);
        return { ...checked, plan: await planWrites(terminal, table, checked.entries, onConflict, report) };
      };
      const { entries, plan, read, invalid } = await prepare().catch((error) => {
        throw signal.aborted ? new CliError('interrupted', 'Interrupted. Nothing was written.') : error;
      });
      if (invalid > 0 && !skipInvalid) {
        fail('invalid', invalid, 'invalid', '--skip-invalid imports the others.');
      }
      if (plan.conflicts > 0) {
        const hint =
          '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.';
        fail('conflict', plan.conflicts, 'in the table already, with other values', hint);
      }
      const { toCreate, toReplace, unchanged, skipped } = plan;
      if (dryRun) {
        const figures = { read, toCreate, toReplace, unchanged, skipped, invalid };
        print(terminal, options, { ...figures, problems }, `${summaryOf(figures)} Nothing was written.`);
        return;
      }
      if (stage.isProduction) {
        await confirm(terminal, `Create ${toCreate} and replace ${toReplace} entries in prod?`, options.yes);
      }
      const written = await writeEntries(terminal, table, entries, plan, onConflict, report).catch((error) => {
        const { code, message, hint = '', cause } = explain(error);
        throw new CliError(code, message, { hint: `${hint} ${again}`.trim(), problems, cause });
      });
      const figures = { read, ...written, invalid };
      print(terminal, options, { ...figures, problems }, summaryOf(figures));
      if (written.left > 0) {
        throw new CliError('interrupted', 'Interrupted.', { hint: again });
      }
      if (written.changed > 0) {
        throw new CliError('conflict', 'Some entries were left to others who changed them meanwhile.', { problems });
      }
    });

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

/** The other figures add up to `read`. */
const summaryOf = ({ read, ...figures }: { read: number } & { [Figure in keyof typeof labels]?: number }): string => {
  const parts = (Object.keys(labels) as (keyof typeof labels)[])
    .filter((figure) => figures[figure])
    .map((figure) => `${figures[figure]?.toLocaleString('en')} ${labels[figure]}`);
  return `${read.toLocaleString('en')} read${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
};

/** The size of a file to import, in bytes. Names a journal that an older version has left beside it. */
const sizeOf = async (file: string, terminal: Terminal): Promise<number> => {
  const found = await stat(file).catch((error) => {
    throw error.code === 'ENOENT' ? new CliError('invalid', `There is no file ${file}.`) : error;
  });
  if (found.isDirectory()) {
    throw new CliError('invalid', `${file} is a directory.`);
  }
  for (const path of found.isFile() ? [file, `${file}.import`] : []) {
    const start = await createReadStream(path, { end: 1_000 })
      .toArray()
      .catch(() => []);
    if (/^\{"input":.*"tableId":/.test(String(Buffer.concat(start)))) {
      tell(
        terminal,
        `${path} is a journal that an older version of import has left. Import the file itself, and remove it.`,
      );
    }
  }
  return found.size;
};
