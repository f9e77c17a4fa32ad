import { Option } from 'commander';
import { CliError } from '../../cli/cli-error.ts';
import type { PetstoreCommand } from '../../cli/petstore-command.ts';
import type { Terminal } from '../../cli/terminal.ts';
import { stageCommand, yesOption } from '../../stage/stage-command.ts';
import { formats } from '../files/formats.ts';
import { type ImportOptions, importFile } from './import-file.ts';
import { conflictActions } from './import-job.ts';

const columnsHelp = `
An entry has three columns or, in JSON, three properties:
  petId     an integer from -9223372036854775808 to 9223372036854775807
  quantity  an integer from 0 to 9007199254740991
  status    available, pending or sold
The first line of CSV names the columns, in any order. They are separated by commas, semicolons or
tabs. Spreadsheets round long petIds unless their column is formatted as text.`;

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
    .permissions(
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'dynamodb:Scan',
      'dynamodb:UpdateItem',
    )
    .examples(
      'inventory import pets.csv --dry-run --stage prod',
      'inventory import pets.ndjson --on-conflict replace --stage staging',
      'inventory import - --format json --local < pets.json',
    )
    .argument('<file>', 'the file, or - for standard input')
    .addOption(format.choices(formats))
    .addOption(onConflict.choices(conflictActions).default('fail'))
    .option('--skip-invalid', 'import the valid entries even if others are invalid')
    .option('--dry-run', 'check everything and write nothing')
    .addOption(yesOption())
    .addHelpText('after', columnsHelp)
    .action(async (file: string, options: ImportOptions) => {
      try {
        await importFile(terminal, file, options);
      } catch (error) {
        // Once writing has begun, Ctrl-C ends in a CliError. Before that, a reader that is stopped
        // may throw anything.
        const isStopped = terminal.signal.aborted && !(error instanceof CliError);
        throw isStopped ? new CliError('interrupted', 'Interrupted. Nothing was written.') : error;
      }
    });
};
