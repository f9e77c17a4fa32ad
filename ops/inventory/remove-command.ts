import type { Command } from 'commander';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/errors.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';
import { parsePetId } from './arguments.ts';
import { findItem, plainItem, removeItem } from './table.ts';

export const addRemoveCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(inventory, 'remove', 'remove one entry')
    .argument('<petId>', 'the petId of the entry', parsePetId)
    .action((petId: bigint, options: StageOptions) => removeEntry(terminal, petId, options));

const removeEntry = async (
  terminal: Terminal,
  petId: bigint,
  options: StageOptions,
): Promise<void> => {
  const { inventory, description } = await findStage(terminal, options);
  const seen = await findItem(inventory, petId);
  const entry = plainItem(seen);
  await confirm(terminal, options, `Remove ${toJson(entry)} from ${description}?`);
  if (!(await removeItem(inventory, seen))) {
    throw new CliError(
      `petId ${petId} was changed by somebody else just now, and was not removed.`,
    );
  }
  await print(terminal, options, entry, `Removed ${toJson(entry)}.`);
};
