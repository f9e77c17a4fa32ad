import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { mostEntries } from './import-steps.ts';
import { type Format, formats } from './read-entries.ts';
import { readTable } from './read-table.ts';
import { textOf } from './write-entries.ts';

interface ExportOptions extends StageOptions {
  format?: Format;
  out?: string;
}

export const exportCommand = (terminal: Terminal): Command =>
  stageCommand('export', 'write every entry, ordered by petId', [
    'inventory export --local > pets.csv',
    'inventory export --format ndjson --out pets.ndjson --stage prod',
  ])
    .addOption(new Option('--format <format>', 'what to write (default: csv, or json with --json)').choices(formats))
    .option('--out <file>', 'write to a file, once all is read, instead of standard output')
    .action(async ({ format: given, out, ...options }: ExportOptions) => {
      const format = given ?? (options.json ? 'json' : 'csv');
      if (options.json && format !== 'json' && out === undefined) {
        throw new CliError('usage', `--json prints one JSON value, and ${format} is none.`, { hint: 'Or use --out.' });
      }
      const output = out === undefined ? undefined : await openOutput(out);
      const stage = await findStage(terminal, options);
      const { entries, broken, error } = await readTable(terminal, stage);
      if (broken.length > 0) {
        for (const { petId, reason } of options.json ? [] : broken) {
          tell(terminal, `petId ${petId}: ${reason}.`);
        }
        throw error;
      }
      if (entries.length > mostEntries) {
        tell(
          terminal,
          `These are more entries than one import takes, ${mostEntries.toLocaleString('en')}: split them.`,
        );
      }
      const { signal, stdout } = terminal;
      const text = Readable.from(textOf(entries, format));
      await (output ? output(text, signal) : pipeline(text, stdout, { end: false, signal })).catch((error) => {
        throw signal.aborted ? new CliError('interrupted', 'Interrupted.') : error;
      });
      if (out !== undefined) {
        const message = `Wrote ${entries.length.toLocaleString('en')} entries to ${out}.`;
        print(terminal, options, { entries: entries.length, file: out }, message);
      }
    });

/**
 * Returns what writes a text to a file: a regular one is replaced once all is written, anything else, such as a device,
 * is written to as it is.
 * @throws CliError, or an error of the file system, if it cannot be written
 */
const openOutput = async (out: string): Promise<(text: Readable, signal: AbortSignal) => Promise<void>> => {
  const target = await realpath(out).catch(() => out);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new CliError('invalid', `${out} is a directory.`);
  }
  await access(found ? target : dirname(target), constants.W_OK);
  if (found && !found.isFile()) {
    return (text, signal) => pipeline(text, createWriteStream(target), { signal });
  }
  const unfinished = `${target}.${randomUUID()}.unfinished`;
  return async (text, signal) => {
    try {
      // Never through a link that someone else has put there.
      await pipeline(text, createWriteStream(unfinished, { flags: 'wx', mode: found?.mode ?? 0o666 }), { signal });
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
};
