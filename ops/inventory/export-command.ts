import { Option } from 'commander';
import { parsePath } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { textOf } from './files/entries-text.ts';
import { type Format, formatOfFile, formats } from './files/formats.ts';
import { openOutput } from './files/output-file.ts';
import { brokenError, readTable } from './table/read-table.ts';

interface ExportOptions extends StageOptions {
  format?: Format;
  out?: string;
}

export const exportCommand = (terminal: Terminal): PetstoreCommand => {
  const format = new Option(
    '--format <format>',
    "format to write (default: by the file's ending, else json with --json, else csv)",
  );
  return stageCommand('export', 'write every entry, ordered by petId')
    .permissions('dynamodb:Scan')
    .examples(
      'inventory export --local > pets.csv',
      'inventory export --out pets.ndjson --stage prod',
    )
    .addOption(format.choices(formats))
    .option(
      '--out <file>',
      'write to a file, once everything is read (default: -, standard output)',
      parsePath,
    )
    .action((options: ExportOptions) => exportEntries(terminal, options));
};

const exportEntries = async (terminal: Terminal, options: ExportOptions): Promise<void> => {
  const { out = '-', json } = options;
  const isStdout = ['-', '/dev/stdout'].includes(out);
  const format = formatOf(options, out);
  if (isStdout && json && format !== 'json') {
    const message = `With --json, standard output is JSON and cannot be ${format}.`;
    throw new CliError('usage', message, { hint: 'Write it to a file with --out.' });
  }
  const write = await openOutput(terminal, isStdout ? '-' : out);
  const stage = await findStage(terminal, options);
  const { entries, read, broken } = await readTable(terminal, stage);
  if (broken.length > 0) {
    if (!json) {
      for (const { petId, reason } of broken) {
        tell(terminal, `petId ${petId}: ${reason}.`);
      }
    }
    throw brokenError(stage, broken);
  }
  await write(textOf(entries, format));
  if (!isStdout) {
    const text = `${read.toLocaleString('en')} written to ${out}.`;
    print(terminal, options, { entries: read, file: out }, text);
  }
};

const formatOf = ({ format, json }: ExportOptions, out: string): Format =>
  format ?? formatOfFile(out) ?? (json ? 'json' : 'csv');
