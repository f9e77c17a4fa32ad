import type { Command } from 'commander';
import { authorizerCacheSeconds, functionTimeout } from '../../functions/shared/time-limits.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { addChangingCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { revokeKey } from './api-keys.ts';
import { findKey } from './find-key.ts';
import { printKey, titleOf } from './key-summary.ts';

/** A check that is under way may still accept the key, which is then cached. */
const seconds = authorizerCacheSeconds + functionTimeout / 1000;

export const addRevokeCommand = (keys: Command, terminal: Terminal): Command =>
  addChangingCommand(keys, 'revoke', 'revoke a key permanently')
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .action(async (id: string, options: StageOptions) => {
      const work = await workOn(terminal, options);
      const key = await findKey(work, id);
      const question = `Revoke prod key ${titleOf(key)}?`;
      await work.confirmOnProd(`${question} The saved query use-of-keys shows who uses it.`);
      await printKey(work, await revokeKey(work.apiKeys, key));
      tell(terminal, `It stops working within ${seconds} seconds.`);
    });
