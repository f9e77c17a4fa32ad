import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/cli-error.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseStoredPetId } from './arguments.ts';
import { removeItem } from './change-item.ts';
import { notFound, plainItem, storedItem } from './stored-items.ts';

export const removeCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('remove', 'remove one entry')
    .permissions('dynamodb:BatchGetItem', 'dynamodb:DeleteItem')
    .examples('inventory remove 42 --stage staging --yes')
    .argument('<petId>', 'the petId of the entry, as check prints it', parseStoredPetId)
    .addOption(yesOption())
    .action(async (petId: string, options: StageOptions) => {
      const stage = await findStage(terminal, options);
      const seen = await storedItem(stage.inventory, petId);
      if (!seen) {
        throw notFound(petId);
      }
      const removed = plainItem(seen);
      const question = `Remove ${toJson(removed)} from ${stage.title}?`;
      await confirm(terminal, { question, isConfirmed: options.yes });
      if (!(await removeItem(stage.inventory, seen))) {
        throw new CliError('conflict', `petId ${petId} was changed just now, and was not removed.`);
      }
      print(terminal, options, { removed }, `Removed ${toJson(removed)}.`);
    });
