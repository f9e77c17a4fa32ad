import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Argument } from 'commander';
import { type PetStatus, petStatuses } from '../../functions/inventory/item.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseQuantity, parseValidPetId } from './arguments.ts';
import { setAttribute } from './change-item.ts';
import { notFound, plainItem } from './stored-items.ts';

export const setCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('set', 'set the quantity of one entry')
    .permissions('dynamodb:UpdateItem')
    .examples('inventory set 42 7 --local')
    .argument('<petId>', 'the petId of the entry', parseValidPetId)
    .argument('<quantity>', 'its new quantity', parseQuantity)
    .addOption(yesOption())
    .action((petId: string, quantity: number, options: StageOptions) =>
      changeItem(terminal, options, { petId, name: 'quantity', value: { N: String(quantity) } }),
    );

export const setStatusCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('set-status', 'set the status of one entry')
    .permissions('dynamodb:UpdateItem')
    .examples('inventory set-status 42 sold --local')
    .argument('<petId>', 'the petId of the entry', parseValidPetId)
    .addArgument(new Argument('<status>', 'its new status').choices(petStatuses))
    .addOption(yesOption())
    .action((petId: string, status: PetStatus, options: StageOptions) =>
      changeItem(terminal, options, { petId, name: 'status', value: { S: status } }),
    );

interface Change {
  petId: string;
  name: 'quantity' | 'status';
  value: AttributeValue.NMember | AttributeValue.SMember;
}

const changeItem = async (
  terminal: Terminal,
  options: StageOptions,
  { petId, name, value }: Change,
): Promise<void> => {
  const { isProduction, inventory } = await findStage(terminal, options);
  const question = `Set the ${name} of petId ${petId} of prod to ${value.N ?? value.S}?`;
  await confirm(terminal, { question, isConfirmed: options.yes || !isProduction });
  const stored = await setAttribute(inventory, petId, name, value);
  if (!stored) {
    throw notFound(petId);
  }
  print(terminal, { json: true }, plainItem(stored), '');
};
