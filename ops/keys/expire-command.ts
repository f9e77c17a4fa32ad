import type { Command } from 'commander';
import { CliError } from '../cli/errors.ts';
import type { Terminal } from '../cli/terminal.ts';
import { addChangingCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { epochSeconds, setExpiry } from './api-keys.ts';
import { parseExpiry } from './arguments.ts';
import { findKey } from './find-key.ts';
import { endIn, printKey, titleOf } from './key-summary.ts';

export const addExpireCommand = (keys: Command, terminal: Terminal): Command =>
  addChangingCommand(keys, 'expire', 'set when a key expires')
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .argument('<when>', '24h, 90d, or never', parseExpiry)
    .action(async (id: string, seconds: number, options: StageOptions) => {
      const work = await workOn(terminal, options);
      const key = await findKey(work, id);
      if (key.revokedAt !== undefined) {
        throw new CliError(`Key ${id} is revoked. Create another with keys create.`);
      }
      await work.confirmOnProd(`Prod key ${titleOf(key)} then ${endIn(seconds)}. Change it?`);
      await printKey(work, await setExpiry(work.apiKeys, key, epochSeconds() + seconds));
    });
