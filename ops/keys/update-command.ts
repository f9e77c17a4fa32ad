import type { Command } from 'commander';
import { confirm } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions } from '../stage/stage.ts';
import { renameKey, setExpiry } from './api-keys.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { assertActive, findKey } from './find-key.ts';
import { printKey, titleOf } from './key-summary.ts';

interface UpdateOptions extends StageOptions {
  name?: string;
  /** In epoch seconds. */
  expires?: number;
}

export const addUpdateCommand = (keys: Command, terminal: Terminal): Command => {
  const command = addStageCommand(keys, 'update', 'rename a key, or change when it expires');
  return command
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option('--name <name>', 'its new name', parseName)
    .option('--expires <when>', 'its new end: 24h, 90d, or never', parseExpiry)
    .action((id: string, options: UpdateOptions) => {
      if (options.name === undefined && options.expires === undefined) {
        command.error('error: say what to change: --name, --expires or both');
      }
      return update(terminal, id, options);
    });
};

const update = async (terminal: Terminal, id: string, options: UpdateOptions): Promise<void> => {
  const { name, expires } = options;
  const { stage, key } = await findKey(terminal, options, id);
  assertActive(key);
  if (stage.isProduction) {
    await confirm(terminal, options, `Change key ${titleOf(key)} of prod?`);
  }
  let changed = key;
  if (name !== undefined) {
    changed = await renameKey(stage.apiKeys, key, name);
  }
  if (expires !== undefined) {
    changed = await setExpiry(stage.apiKeys, key, expires);
  }
  await printKey(terminal, options, changed);
};
