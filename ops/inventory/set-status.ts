import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { Argument, type Command } from 'commander';
import { type PetStatus, petStatuses } from '../../functions/inventory/inventory-item.ts';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, type Terminal } from '../cli/terminal.ts';
import { inventoryOf, type Table } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { petIdArgument } from './pet-id-argument.ts';
import { storedItem } from './stored-item.ts';

export const setStatusCommand = (terminal: Terminal): Command =>
  stageCommand('set-status', 'set the status of one entry, which the API cannot', [
    'inventory set-status 42 sold --local',
    'inventory set-status 42 available --stage prod --yes',
  ])
    .argument('<petId>', 'of the entry', petIdArgument)
    .addArgument(new Argument('<status>', 'its new status').choices(petStatuses))
    .addOption(yesOption())
    .action(async (petId: bigint, status: PetStatus, options: StageOptions) => {
      const target = await findStage(terminal, options);
      if (target.isProduction) {
        await confirm(terminal, `Set petId ${petId} of prod to ${status}?`, options.yes);
      }
      const item = await setStatus(inventoryOf(target), petId, status);
      print(terminal, options, item, `petId ${petId} is ${item.status}, with a quantity of ${item.quantity}.`);
    });

const setStatus = async ({ client, TableName }: Table, petId: bigint, status: PetStatus) => {
  const update = new UpdateItemCommand({
    TableName,
    Key: { petId: { N: String(petId) } },
    UpdateExpression: 'SET #status = :status',
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': { S: status } },
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes = {} } = await client.send(update);
    return storedItem(Attributes);
  } catch (error) {
    throw error instanceof ConditionalCheckFailedException ? noSuchEntry(petId) : error;
  }
};

export const noSuchEntry = (petId: bigint): CliError => new CliError('not_found', `No entry has the petId ${petId}.`);
