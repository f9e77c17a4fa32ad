import { constants, createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { showProgress } from '../cli/progress.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { inventoryOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { type Format, formats } from './read-lines.ts';
import { SortedInventory } from './sorted-inventory.ts';
import { writers } from './write-formats.ts';

interface ExportOptions extends StageOptions {
  format: Format;
  out?: string;
}

export const exportCommand = (terminal: Terminal): Command =>
  stageCommand('export', 'write every entry, ordered by petId', [
    'inventory export --local > pets.csv',
    'inventory export --format ndjson --out pets.ndjson --stage prod',
  ])
    .addOption(new Option('--format <format>', 'what to write').choices(formats).default('csv'))
    .option('--out <file>', 'write to a file, once all is read, instead of standard output')
    .action(async ({ format, out, ...options }: ExportOptions) => {
      const target = await findStage(terminal, options);
      if (out !== undefined) {
        // Before all is read.
        if ((await stat(out).catch(() => undefined))?.isDirectory()) {
          throw new CliError('invalid', `${out} is a directory.`);
        }
        await access(dirname(out), constants.W_OK);
      }
      const reading = showProgress(terminal, 'Read');
      const inventory = new SortedInventory();
      await inventory.load(inventoryOf(target), () => reading.update(inventory.length));
      reading.end();

      const text = Readable.from(writers[format](inventory.items()));
      if (out === undefined) {
        await pipeline(text, terminal.stdout, { end: false });
        return;
      }
      const unfinished = `${out}.unfinished`;
      await pipeline(text, createWriteStream(unfinished)).catch(async (error) => {
        await rm(unfinished, { force: true });
        throw error;
      });
      await rename(unfinished, out);
      print(
        terminal,
        options,
        { entries: inventory.length, file: out },
        `Wrote ${inventory.length} entries to ${out}.`,
      );
    });
