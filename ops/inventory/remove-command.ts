import type { Command } from 'commander';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/errors.ts';
import type { Terminal } from '../cli/terminal.ts';
import {
  addChangingCommand,
  type StageOptions,
  type Work,
  workOn,
} from '../stage/stage-command.ts';
import { petIdArgument } from './arguments.ts';
import { findItem, plainItem, removeItem } from './table.ts';

export const addRemoveCommand = (inventory: Command, terminal: Terminal): Command =>
  addChangingCommand(inventory, 'remove', 'remove one entry')
    .argument('<petId>', 'the petId of the entry', petIdArgument)
    .action(async (petId: bigint, options: StageOptions) =>
      removeEntry(await workOn(terminal, options), petId),
    );

const removeEntry = async (work: Work, petId: bigint): Promise<void> => {
  const { inventory, description, confirm, print } = work;
  const seen = await findItem(inventory, petId);
  const entry = plainItem(seen);
  await confirm(`Remove ${toJson(entry)} from ${description}?`);
  if (!(await removeItem(inventory, seen))) {
    throw new CliError(`Someone else just changed petId ${petId}, so it was not removed.`);
  }
  await print(entry, `Removed ${toJson(entry)}.`);
};
