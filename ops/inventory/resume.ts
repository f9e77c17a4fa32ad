import type { Command } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { confirm, type Terminal } from '../cli/terminal.ts';
import { inventoryOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { tableIdOf } from './import-inventory.ts';
import { importObserver } from './import-output.ts';
import { openJournal } from './journal.ts';
import { performAndConclude } from './perform-and-conclude.ts';

export const resumeCommand = (terminal: Terminal): Command =>
  stageCommand('resume', 'finish an import that was interrupted', [
    'inventory resume pets.csv.import --local',
    'inventory resume pets.csv.import --stage prod --yes',
  ])
    .argument('<journal>', 'the file that the import has left')
    .addOption(yesOption())
    .action(async (path: string, options: StageOptions) => {
      const observer = importObserver(terminal, options);
      const opened = await openJournal(path);
      const target = await findStage(terminal, options);
      const table = inventoryOf(target);
      const { header, planned, progress } = opened;
      if ((await tableIdOf(table)) !== header.tableId) {
        throw new CliError('conflict', `${path} was begun on another table, of ${header.stageName}.`);
      }
      const left = planned.toCreate + planned.toReplace - (progress?.done ?? 0);
      if (target.isProduction) {
        await confirm(terminal, `Write the ${left} entries of ${header.input} that are left in prod?`, options.yes);
      }
      await performAndConclude(terminal, table, opened, options, observer);
    });
