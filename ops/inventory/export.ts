import { Option } from 'commander';
import type { PetStatus } from '../../functions/inventory/item.ts';
import { violationOf } from '../../functions/inventory/stored-entry.ts';
import { parsePath } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { openOutput } from '../cli/files.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { showProgress } from '../cli/progress.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import type { Stage } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import type { Entry } from './check-entry.ts';
import { Entries } from './entries.ts';
import { scanEntries } from './entries-table.ts';
import { type Format, formats } from './read-entries.ts';

/**
 * Reads the whole table. Returns the valid entries, what is wrong with the others, and an error
 * about them.
 */
export const readTable = async (terminal: Terminal, stage: Stage) => {
  const entries = new Entries();
  const broken: { petId: string; reason: string }[] = [];
  let read = 0;
  using progress = showProgress(terminal, 'Read');
  for await (const page of scanEntries(stage.inventory)) {
    terminal.signal.throwIfAborted();
    for (const stored of page) {
      const { petId, quantity, status } = stored;
      const reason = violationOf(stored);
      read += 1;
      if (reason === undefined) {
        entries.add(
          { petId: petId.N, quantity: Number(quantity?.N), status: status?.S as PetStatus },
          read,
        );
      } else {
        // Commander takes a negative number with a capital E for an option; `inventory remove` must
        // accept this.
        broken.push({ petId: petId.N.toLowerCase(), reason });
      }
    }
    progress.add(page.length);
  }
  const hint =
    'Repair each with import --on-conflict replace, set-status or a PATCH of its quantity, ' +
    `or remove it: ${npxPetstore} inventory remove ${broken[0]?.petId} ${stage.options}`;
  const message = `Entries that break the contract: ${broken.length.toLocaleString('en')}.`;
  return {
    entries,
    read,
    broken,
    error: new CliError('failed', message, { hint, problems: broken }),
  };
};

const csvRow = ({ petId, quantity, status }: Entry) => `${petId},${quantity},${status}`;
const jsonObject = ({ petId, quantity, status }: Entry) =>
  `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;

/**
 * The text before, between and after the entries of a file, and the function that writes an entry.
 */
const layouts = {
  csv: ['petId,quantity,status\n', '\n', '', csvRow],
  json: ['[\n', ',\n', ']\n', jsonObject],
  ndjson: ['', '\n', '', jsonObject],
} as const;

/**
 * Yields the text of an export in pieces, ordered by petId. An import of the text gives the same
 * inventory.
 */
function* textOf(entries: Entries, format: Format): Generator<string> {
  const [start, between, end, write] = layouts[format];
  let before: string = start;
  for (const batch of entries.batches(1_000)) {
    yield before + batch.map(write).join(between);
    before = between;
  }
  yield (before === start ? start : '\n') + end;
}

export const exportCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('export', 'write every entry, ordered by petId')
    .examples(
      'inventory export --local > pets.csv',
      'inventory export --format ndjson --out pets.ndjson --stage prod',
    )
    .addOption(
      new Option(
        '--format <format>',
        'format to write (default: csv, or json with --json)',
      ).choices(formats),
    )
    .option(
      '--out <file>',
      'write to a file, once everything is read (default: -, standard output)',
      parsePath,
    )
    .action(
      async ({
        format: given,
        out = '-',
        ...options
      }: StageOptions & { format?: Format; out?: string }) => {
        const toStdout = ['-', '/dev/stdout'].includes(out);
        const format = given ?? (options.json ? 'json' : 'csv');
        if (options.json && format !== 'json' && toStdout) {
          const hint = 'Write it to a file with --out.';
          throw new CliError(
            'usage',
            `With --json, standard output is JSON and cannot be ${format}.`,
            { hint },
          );
        }
        const write = await openOutput(terminal, toStdout ? '-' : out);
        const { entries, read, broken, error } = await readTable(
          terminal,
          await findStage(terminal, options),
        );
        if (broken.length > 0) {
          for (const { petId, reason } of options.json ? [] : broken) {
            tell(terminal, `petId ${petId}: ${reason}.`);
          }
          throw error;
        }
        await write(textOf(entries, format));
        if (!toStdout) {
          print(
            terminal,
            options,
            { entries: read, file: out },
            `${read.toLocaleString('en')} written to ${out}.`,
          );
        }
      },
    );
