import { CliError } from '../cli/cli-error.ts';
import { explain } from '../cli/explain-error.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Table } from '../stage/stage.ts';
import type { StageOptions } from '../stage/stage-command.ts';
import { type ImportObserver, performImport } from './import-inventory.ts';
import { concludeImport, howToResume } from './import-output.ts';
import type { OpenedJournal } from './journal.ts';

/** Writes what a journal plans and tells what came of it; of an error, also how to go on after it. */
export const performAndConclude = async (
  terminal: Terminal,
  table: Table,
  opened: OpenedJournal,
  options: StageOptions,
  observer: ImportObserver,
): Promise<void> => {
  const { path } = opened.journal;
  const summary = await performImport(table, opened, observer).catch((error) => {
    const { code, message, hint, cause } = explain(error);
    throw new CliError(code, `${message}${hint ? `\n${hint}` : ''}`, { hint: howToResume(path), cause });
  });
  concludeImport(terminal, options, summary, path);
};
