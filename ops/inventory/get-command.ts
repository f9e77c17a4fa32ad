import type { Command } from 'commander';
import { toJson } from '../../functions/shared/json.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';
import { parsePetId } from './arguments.ts';
import { findItem, plainItem } from './table.ts';

export const addGetCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(inventory, 'get', 'print one entry')
    .argument('<petId>', 'the petId of the entry', parsePetId)
    .action((petId: bigint, options: StageOptions) => getEntry(terminal, petId, options));

const getEntry = async (
  terminal: Terminal,
  petId: bigint,
  options: StageOptions,
): Promise<void> => {
  const { inventory } = await findStage(terminal, options);
  const entry = plainItem(await findItem(inventory, petId));
  await print(terminal, options, entry, toJson(entry));
};
