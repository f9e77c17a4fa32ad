import type { Command } from 'commander';
import { CliError } from '../cli/errors.ts';
import { confirm } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions } from '../stage/stage.ts';
import { renameKey, setExpiry } from './api-keys.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { assertActive, findKey } from './find-key.ts';
import { printKey } from './key-summary.ts';

interface UpdateOptions extends StageOptions {
  name?: string;
  /** In epoch seconds. */
  expires?: number;
}

export const addUpdateCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'update', 'rename a key, or change when it expires')
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option('--name <name>', 'its new name', parseName)
    .option('--expires <when>', 'its new end: 24h, 90d, or never', parseExpiry)
    .action((id: string, options: UpdateOptions) => update(terminal, id, options));

const update = async (terminal: Terminal, id: string, options: UpdateOptions): Promise<void> => {
  const { name, expires } = options;
  if (name === undefined && expires === undefined) {
    throw new CliError('Say what to change: --name, --expires or both.');
  }
  const { stage, key } = await findKey(terminal, options, id);
  assertActive(key);
  if (stage.isProduction) {
    await confirm(terminal, options, `Change key ${id} ("${key.name}") of prod?`);
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
