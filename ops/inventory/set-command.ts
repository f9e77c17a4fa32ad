import { type Command, Option } from 'commander';
import { type PetStatus, petStatuses } from '../../functions/inventory/item.ts';
import { toJson } from '../../functions/shared/json.ts';
import type { Terminal } from '../cli/terminal.ts';
import { addChangingCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { petIdArgument, quantityArgument } from './arguments.ts';
import { plainItem, setAttributes } from './table.ts';

interface SetOptions extends StageOptions {
  quantity?: number;
  status?: PetStatus;
}

export const addSetCommand = (inventory: Command, terminal: Terminal): Command => {
  const command = addChangingCommand(
    inventory,
    'set',
    'set the quantity or the status of one entry',
  );
  return command
    .argument('<petId>', 'the petId of the entry', petIdArgument)
    .option('--quantity <quantity>', 'its new quantity', quantityArgument)
    .addOption(new Option('--status <status>', 'its new status').choices(petStatuses))
    .action((petId: bigint, options: SetOptions) => {
      if (options.quantity === undefined && options.status === undefined) {
        command.error('error: give --quantity, --status or both');
      }
      return setEntry(terminal, petId, options);
    });
};

const setEntry = async (terminal: Terminal, petId: bigint, options: SetOptions): Promise<void> => {
  const { quantity, status } = options;
  const work = await workOn(terminal, options);
  await work.confirmOnProd(`Set ${toJson({ quantity, status })} for petId ${petId} in prod?`);
  await work.print(plainItem(await setAttributes(work.inventory, petId, { quantity, status })));
};
