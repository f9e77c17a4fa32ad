import type { Command } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { petIdArgument } from './arguments.ts';
import { findItem, plainItem } from './table.ts';

export const addGetCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(inventory, 'get', 'print one entry')
    .argument('<petId>', 'the petId of the entry', petIdArgument)
    .action(async (petId: bigint, options: StageOptions) => {
      const work = await workOn(terminal, options);
      await work.print(plainItem(await findItem(work.inventory, petId)));
    });
