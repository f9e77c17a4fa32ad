import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { parseStoredPetId } from './arguments.ts';
import { notFound, plainItem, storedItem } from './stored-items.ts';

export const getCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('get', 'show one entry')
    .permissions('dynamodb:BatchGetItem')
    .examples('inventory get 42 --local')
    .argument('<petId>', 'the petId of the entry', parseStoredPetId)
    .action(async (petId: string, options: StageOptions) => {
      const { inventory } = await findStage(terminal, options);
      const stored = await storedItem(inventory, petId);
      if (!stored) {
        throw notFound(petId);
      }
      print(terminal, { json: true }, plainItem(stored), '');
    });
