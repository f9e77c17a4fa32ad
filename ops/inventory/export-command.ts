import { extname } from 'node:path';
import { Option } from 'commander';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import { parsePath } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal, tell, write } from '../cli/terminal.ts';
import type { Stage } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { outputFile, replaceFile } from './output-file.ts';
import { type BrokenItem, brokenError, readTable } from './read-table.ts';

const formats = ['csv', 'json', 'ndjson'] as const;
type Format = (typeof formats)[number];

interface ExportOptions extends StageOptions {
  format?: Format;
  out: string;
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
      'write a file once everything is read; - is standard output',
      parsePath,
      '-',
    )
    .action((options: ExportOptions) => exportItems(terminal, options));
};

const exportItems = async (terminal: Terminal, options: ExportOptions): Promise<void> => {
  const { out } = options;
  const format = formatOf(options);
  const file = out === '-' ? undefined : outputFile(out);
  const stage = await findStage(terminal, options);
  const { items, broken } = await readTable(terminal, stage);
  assertNoneBroken(terminal, stage, broken, options);
  const text = textOf(items, format);
  if (file === undefined) {
    await write(terminal, text);
    return;
  }
  await replaceFile(file, text, terminal.signal);
  const summary = `${items.length.toLocaleString('en')} written to ${out}.`;
  print(terminal, options, { entries: items.length, file: out }, summary);
};

const formatOf = ({ format, out, json }: ExportOptions): Format => {
  const chosen = format ?? formatOfFile(out) ?? (json ? 'json' : 'csv');
  if (out === '-' && json && chosen !== 'json') {
    const message = `With --json, standard output is JSON and cannot be ${chosen}.`;
    throw new CliError('usage', message, { hint: 'Write it to a file with --out.' });
  }
  return chosen;
};

const assertNoneBroken = (
  terminal: Terminal,
  stage: Stage,
  broken: BrokenItem[],
  { json }: ExportOptions,
): void => {
  for (const { petId, reason } of json ? [] : broken) {
    tell(terminal, `petId ${petId}: ${reason}.`);
  }
  if (broken.length > 0) {
    throw brokenError(stage, broken);
  }
};

const byEnding: Record<string, Format> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'ndjson',
  '.ndjson': 'ndjson',
};

const formatOfFile = (path: string): Format | undefined => byEnding[extname(path).toLowerCase()];

/** Returns the text of an export, ordered by petId. An import of it gives the same inventory. */
const textOf = (items: InventoryItem[], format: Format): string => {
  const sorted = items.sort((one, other) => (one.petId < other.petId ? -1 : 1));
  switch (format) {
    case 'csv':
      return ['petId,quantity,status\n', ...sorted.map(csvLine)].join('');
    case 'json':
      return `[\n${sorted.map(jsonObject).join(',\n')}${sorted.length > 0 ? '\n' : ''}]\n`;
    case 'ndjson':
      return sorted.map((item) => `${jsonObject(item)}\n`).join('');
  }
};

const csvLine = ({ petId, quantity, status }: InventoryItem): string =>
  `${petId},${quantity},${status}\n`;

const jsonObject = ({ petId, quantity, status }: InventoryItem): string =>
  `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;
