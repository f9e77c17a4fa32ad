import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, type Terminal } from '../cli/terminal.ts';
import { inventoryOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { existingEntry } from './existing-entries.ts';
import { petIdArgument } from './pet-id-argument.ts';
import { unchanged } from './planned-write.ts';
import { noSuchEntry } from './set-status.ts';
import { storedItem } from './stored-item.ts';

export const removeCommand = (terminal: Terminal): Command =>
  stageCommand('remove', 'remove one entry, which the API cannot', [
    'inventory remove 42 --local',
    'inventory remove 42 --stage staging --yes',
  ])
    .argument('<petId>', 'of the entry', petIdArgument)
    .addOption(yesOption())
    .action(async (petId: bigint, options: StageOptions) => {
      const target = await findStage(terminal, options);
      const { client, TableName } = inventoryOf(target);
      const seen = await existingEntry({ client, TableName }, petId);
      if (!seen) {
        throw noSuchEntry(petId);
      }
      const what = `petId ${petId} (quantity ${seen.quantity?.N}, ${seen.status?.S})`;
      await confirm(terminal, `Remove ${what} from ${target.stageName}?`, options.yes);

      const { condition, values } = unchanged(seen);
      const Key = { petId: { N: String(petId) } };
      const remove = new DeleteItemCommand({
        TableName,
        Key,
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#status': 'status' },
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      });
      await client.send(remove).catch((error) => {
        throw error instanceof ConditionalCheckFailedException
          ? new CliError('conflict', `petId ${petId} was changed just now, and was not removed. Try again.`)
          : error;
      });
      print(terminal, options, { removed: storedItem({ ...seen, ...Key }) }, `Removed ${what}.`);
    });
