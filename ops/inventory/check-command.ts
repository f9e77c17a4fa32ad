import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { brokenError, readTable } from './read-table.ts';

export const checkCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('check', 'find entries that break the contract of the API')
    .permissions('dynamodb:Scan')
    .examples('inventory check --stage prod')
    .action(async (options: StageOptions) => {
      const stage = await findStage(terminal, options);
      const { items, broken } = await readTable(terminal, stage);
      const checked = items.length + broken.length;
      const lines = broken.map(({ petId, reason }) => `petId ${petId}: ${reason}.\n`);
      const text = `${lines.join('')}${checked.toLocaleString('en')} checked.`;
      print(terminal, options, { checked, broken }, text);
      if (broken.length > 0) {
        throw brokenError(stage, broken);
      }
    });
