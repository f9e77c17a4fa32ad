import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { InventoryItem } from '../../functions/inventory/inventory-item.ts';
import { violationOf } from '../../functions/inventory/stored-entry.ts';
import { CliError } from '../cli/cli-error.ts';
import { openOutput } from '../cli/output-file.ts';
import { showProgress } from '../cli/progress.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { inventoryOf, type Stage } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { Entries } from './entries.ts';
import { fromStored, scanEntries } from './entries-table.ts';
import { type Format, formats } from './read-entries.ts';

/** Reads the whole table: the entries that keep the contract, and what is wrong in the others, with an error about it. */
export const readTable = async (terminal: Terminal, stage: Stage) => {
  const entries = new Entries();
  const broken: { petId: string; reason: string }[] = [];
  const progress = showProgress(terminal, 'Read');
  for await (const page of scanEntries(inventoryOf(stage))) {
    if (terminal.signal.aborted) {
      throw new CliError('interrupted', 'Interrupted.');
    }
    for (const stored of page) {
      const reason = violationOf(stored);
      if (reason === undefined) {
        entries.add(fromStored(stored));
      } else {
        // With a capital E, a negative number on a command line would be taken for an option.
        broken.push({ petId: stored.petId.N.toLowerCase(), reason });
      }
    }
    progress.update(entries.length + broken.length);
  }
  progress.end();
  const hint =
    'Repair it with import --on-conflict replace, set-status or a PATCH of its quantity, ' +
    `or remove it: npx petstore inventory remove ${broken[0]?.petId} ${stage.options}`;
  const message = `Entries that break the contract: ${broken.length.toLocaleString('en')}.`;
  return { entries, broken, error: new CliError('invalid', message, { hint, problems: broken }) };
};

const json = ({ petId, quantity, status }: InventoryItem): string =>
  `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;

const layouts = {
  csv: [
    'petId,quantity,status\n',
    ({ petId, quantity, status }: InventoryItem) => `${petId},${quantity},${status}`,
    '\n',
    '',
  ],
  json: ['[\n', json, ',\n', ']\n'],
  ndjson: ['', json, '\n', ''],
} as const;

/** All entries in order of petId, in pieces of a text; importing it gives the same inventory. */
function* textOf(entries: Entries, format: Format): Generator<string> {
  const [start, line, between, end] = layouts[format];
  let text: string = start;
  for (const [i, index] of entries.inOrder().entries()) {
    text += line(entries.at(index)) + (i + 1 < entries.length ? between : '\n');
    if (text.length > 60_000) {
      yield text;
      text = '';
    }
  }
  yield text + end;
}

export const exportCommand = (terminal: Terminal): Command =>
  stageCommand('export', 'write every entry, ordered by petId', [
    'inventory export --local > pets.csv',
    'inventory export --format ndjson --out pets.ndjson --stage prod',
  ])
    .addOption(new Option('--format <format>', 'what to write (default: csv, or json with --json)').choices(formats))
    .option('--out <file>', 'write to a file, once all is read, instead of standard output')
    .action(async ({ format: given, out, ...options }: StageOptions & { format?: Format; out?: string }) => {
      const format = given ?? (options.json ? 'json' : 'csv');
      if (options.json && format !== 'json' && out === undefined) {
        throw new CliError('usage', `--json prints one JSON value, and ${format} is none.`, { hint: 'Or use --out.' });
      }
      const { signal, stdout } = terminal;
      const write = out === undefined ? undefined : await openOutput(out);
      const { entries, broken, error } = await readTable(terminal, await findStage(terminal, options));
      if (broken.length > 0) {
        for (const { petId, reason } of options.json ? [] : broken) {
          tell(terminal, `petId ${petId}: ${reason}.`);
        }
        throw error;
      }
      const text = Readable.from(textOf(entries, format));
      await (write?.(text, signal) ?? pipeline(text, stdout, { end: false, signal })).catch((error) => {
        throw signal.aborted ? new CliError('interrupted', 'Interrupted.') : error;
      });
      if (out !== undefined) {
        const message = `Wrote ${entries.length.toLocaleString('en')} entries to ${out}.`;
        print(terminal, options, { entries: entries.length, file: out }, message);
      }
    });
