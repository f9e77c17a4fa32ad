import type { Command } from 'commander';
import { readKey } from '../../functions/keys/stored-key.ts';
import type { Terminal } from '../cli/terminal.ts';
import {
  addChangingCommand,
  type StageOptions,
  type Work,
  workOn,
} from '../stage/stage-command.ts';
import { epochSeconds, renameKey, setExpiry } from './api-keys.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { activeKey, findKey } from './find-key.ts';
import { endIn, printKey, titleOf } from './key-summary.ts';

interface UpdateOptions extends StageOptions {
  name?: string;
  /** In seconds. */
  expires?: number;
}

export const addUpdateCommand = (keys: Command, terminal: Terminal): Command => {
  const command = addChangingCommand(keys, 'update', 'rename a key, or change when it expires');
  return command
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option('--name <name>', 'its new name', parseName)
    .option('--expires <when>', 'when it expires: 24h, 90d, or never', parseExpiry)
    .action(async (id: string, options: UpdateOptions) => {
      if (options.name === undefined && options.expires === undefined) {
        command.error('error: give --name, --expires or both');
      }
      return update(await workOn(terminal, options), id, options);
    });
};

const update = async (work: Work, id: string, { name, expires }: UpdateOptions): Promise<void> => {
  const { key } = await findKey(work, id);
  // A new end lets an expired key work again.
  if (expires === undefined || readKey(key, epochSeconds()).state !== 'expired') {
    activeKey(key);
  }
  const end = expires === undefined ? '' : `, which then ${endIn(expires)}`;
  await work.confirmOnProd(`Update prod key ${titleOf(key)}${end}?`);
  let changed = key;
  if (name !== undefined) {
    changed = await renameKey(work.apiKeys, key, name);
  }
  if (expires !== undefined) {
    changed = await setExpiry(work.apiKeys, key, epochSeconds() + expires);
  }
  await printKey(work, changed);
};
