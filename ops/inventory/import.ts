import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, type Terminal } from '../cli/terminal.ts';
import { inventoryOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { prepareImport } from './import-inventory.ts';
import { importObserver, planText } from './import-output.ts';
import type { OnConflict } from './journal.ts';
import { performAndConclude } from './perform-and-conclude.ts';
import { type Format, formats, readLines } from './read-lines.ts';

interface ImportOptions extends StageOptions {
  format?: Format;
  onConflict: OnConflict;
  skipInvalid?: boolean;
  dryRun?: boolean;
  journal?: string;
}

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
      new Option('--on-conflict <action>', 'what to do if an entry exists: write nothing at all, or skip or replace it')
        .choices(['fail', 'skip', 'replace'])
        .default('fail'),
    )
    .option('--skip-invalid', 'import the valid entries, though others are invalid')
    .option('--dry-run', 'check everything and write nothing')
    .option('--journal <file>', 'where to keep what a resumption needs (default: FILE.import)')
    .addOption(yesOption())
    .action(async (file: string, { format, onConflict, skipInvalid, dryRun, journal, ...options }: ImportOptions) => {
      const observer = importObserver(terminal, options);
      const found = file === '-' ? undefined : await stat(file);
      if (found?.isDirectory()) {
        throw new CliError('invalid', `${file} is a directory.`);
      }
      const size = found?.size;
      const target = await findStage(terminal, options);
      const table = inventoryOf(target);

      const stream: Readable = file === '-' ? terminal.stdin : createReadStream(file);
      let bytesRead = 0;
      const bytes = async function* () {
        for await (const chunk of addAbortSignal(observer.signal, stream)) {
          bytesRead += chunk.length;
          yield chunk;
        }
      };
      const source = readLines(bytes(), format);
      const settings = {
        input: file,
        stageName: target.stageName,
        onConflict,
        skipInvalid: skipInvalid ?? false,
        journalPath: dryRun ? undefined : (journal ?? `${file === '-' ? 'standard-input' : file}.import`),
      };
      const fraction = () => size && bytesRead / size;
      const { planned, opened } = await prepareImport(table, source, fraction, settings, observer);
      if (!opened) {
        print(terminal, options, planned, planText(planned));
        return;
      }
      if (target.isProduction) {
        const question = `Create ${planned.toCreate} and replace ${planned.toReplace} entries in prod?`;
        await confirm(terminal, question, options.yes).catch(async (error) => {
          await opened.journal.remove();
          throw error;
        });
      }
      await performAndConclude(terminal, table, opened, options, observer);
    });
