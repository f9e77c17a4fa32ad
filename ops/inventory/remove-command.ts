import type { Command } from 'commander';
import { CliError } from '../cli/errors.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';

export const addRemoveCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(inventory, 'remove', 'remove one entry')
    .argument('<petId>', 'the petId of the entry')
    .action((petId: string, options: StageOptions) => removeEntry(terminal, petId, options));

const removeEntry = async (
  terminal: Terminal,
  petId: string,
  options: StageOptions,
): Promise<void> => {
  const { inventory, description } = await findStage(terminal, options);
  await confirm(terminal, options, `Remove petId ${petId} from ${description}?`);
  const { Attributes } = await inventory.client.deleteItem({
    TableName: inventory.TableName,
    Key: { petId: { N: petId } },
    ReturnValues: 'ALL_OLD',
  });
  if (Attributes === undefined) {
    throw new CliError(`No entry has the petId ${petId}.`);
  }
  const { quantity, status } = Attributes;
  const removed = { petId, quantity: quantity?.N, status: status?.S };
  await print(
    terminal,
    options,
    removed,
    `Removed ${petId}: ${removed.quantity}, ${removed.status}.`,
  );
};
