import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { StoredKey } from '../../functions/keys/stored-key.ts';
import { authorizerCacheSeconds, functionTimeout } from '../../functions/shared/time-limits.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import {
  addChangingCommand,
  type StageOptions,
  type Work,
  workOn,
} from '../stage/stage-command.ts';
import { epochSeconds, revokeKey, secondsIn } from './api-keys.ts';
import { findKey } from './find-key.ts';
import { printKey, titleOf } from './key-summary.ts';

/** Seconds that a check under way may take. It may still accept the key, and is then cached. */
const checkSeconds = functionTimeout / 1000;

interface RevokeOptions extends StageOptions {
  now?: boolean;
}

export const addRevokeCommand = (keys: Command, terminal: Terminal): Command =>
  addChangingCommand(keys, 'revoke', 'revoke a key permanently')
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option('--now', "also empty the stage's authorizer cache, so that every key is checked again")
    .action(async (id: string, options: RevokeOptions) =>
      revoke(await workOn(terminal, options), id, options),
    );

const revoke = async (work: Work, id: string, { now }: RevokeOptions): Promise<void> => {
  const { key } = await findKey(work, id);
  const question = `Revoke prod key ${titleOf(key)}?`;
  await work.confirmOnProd(`${question} The saved query use-of-keys shows who uses it.`);
  const revoked = await revokeKey(work.apiKeys, key);
  try {
    await printKey(work, revoked);
  } finally {
    // Also if nobody can be told.
    if (now) {
      await emptyCache(work);
    }
  }
  tell(work.terminal, now || hasEnded(revoked) ? hasStopped : stopsSoon);
};

/** Seconds for which a check may accept a key that was revoked while it was under way. */
const revocationSeconds = authorizerCacheSeconds + checkSeconds;

const stopsSoon = `It stops working within ${revocationSeconds} seconds.`;
const hasStopped = 'It no longer works.';

/** Whether a key was revoked so long ago that no result of a check is cached any more. */
const hasEnded = ({ revokedAt }: StoredKey): boolean =>
  epochSeconds() > (secondsIn(revokedAt) ?? Infinity) + revocationSeconds;

/** Empties the cache at once, and again when no check that read the key before can be under way. */
const emptyCache = async ({ terminal, restApi, stageName }: Work): Promise<void> => {
  const { client, restApiId } = restApi;
  await client.flushStageAuthorizersCache({ restApiId, stageName });
  tell(
    terminal,
    `The cache will be emptied again in ${checkSeconds} s, when checks in progress have ended.`,
  );
  await sleep(functionTimeout);
  await client.flushStageAuthorizersCache({ restApiId, stageName });
};
