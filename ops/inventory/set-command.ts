import { type Command, InvalidArgumentError, Option } from 'commander';
import { isQuantity, type PetStatus, petStatuses } from '../../functions/inventory/item.ts';
import { CliError } from '../cli/errors.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';
import { ifPossible } from './table.ts';

interface SetOptions extends StageOptions {
  quantity?: number;
  status?: PetStatus;
}

export const addSetCommand = (inventory: Command, terminal: Terminal): Command =>
  addStageCommand(inventory, 'set', 'set the quantity or the status of one entry')
    .argument('<petId>', 'the petId of the entry')
    .option('--quantity <quantity>', 'its new quantity', parseQuantity)
    .addOption(new Option('--status <status>', 'its new status').choices(petStatuses))
    .action((petId: string, options: SetOptions) => setEntry(terminal, petId, options));

const parseQuantity = (text: string): number => {
  const quantity = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!isQuantity(quantity)) {
    throw new InvalidArgumentError('It must be an integer from 0 to 9007199254740991.');
  }
  return quantity;
};

const setEntry = async (terminal: Terminal, petId: string, options: SetOptions): Promise<void> => {
  const { quantity, status } = options;
  const values = {
    ...(quantity !== undefined && { quantity: { N: String(quantity) } }),
    ...(status !== undefined && { status: { S: status } }),
  };
  const attributes = Object.entries(values);
  if (attributes.length === 0) {
    throw new CliError('Say what to set: --quantity, --status or both.');
  }
  const { inventory, isProduction } = await findStage(terminal, options);
  if (isProduction) {
    await confirm(terminal, options, `Set ${Object.keys(values).join(' and ')} of ${petId}?`);
  }
  const isSet = await ifPossible(
    inventory.client.updateItem({
      TableName: inventory.TableName,
      Key: { petId: { N: petId } },
      ConditionExpression: 'attribute_exists(petId)',
      UpdateExpression: `SET ${attributes.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(attributes.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        attributes.map(([name, value]) => [`:${name}`, value]),
      ),
    }),
  );
  if (!isSet) {
    throw new CliError(`No entry has the petId ${petId}. inventory import creates entries.`);
  }
  await print(terminal, options, { petId, quantity, status }, `Set ${petId}.`);
};
