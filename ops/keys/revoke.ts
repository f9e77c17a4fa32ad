import type { Command } from 'commander';
import { authorizerCacheSeconds, functionTimeout } from '../../functions/shared/time-limits.ts';
import { confirm } from '../cli/confirm.ts';
import { apiKeysOf } from '../stage/stage.ts';
import { findTarget, print, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { endKey, epochSeconds, findIssuedKey } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';

/** How long a revoked key may still work: a check that began before is kept from when it ends. */
const seconds = authorizerCacheSeconds + functionTimeout / 1_000;

export const revokeCommand = (): Command =>
  stageCommand('revoke', `end a key within ${seconds} seconds, or at once with --now`, [
    'keys revoke 4be1c0ffee4be1c0 --local',
    'keys revoke 4be1c0ffee4be1c0 --now --stage prod',
  ])
    .argument('<id>', 'as keys list shows it')
    .option('--now', "also empty the stage's authorizer cache, which costs every client's next request a check")
    .addOption(yesOption())
    .action(async (id: string, { now, ...options }: StageOptions & { now?: boolean }) => {
      const target = await findTarget(options);
      const table = apiKeysOf(target);
      const { name } = await findIssuedKey(table, id);
      if (target.isProduction) {
        await confirm(`Revoke key ${id} ("${name}") of prod?`, options.yes);
      }
      await endKey(table, await findIssuedKey(table, id), { revokedAt: epochSeconds() });
      if (now) {
        await target.flushAuthorizersCache();
      }
      const summary = keySummary(await findIssuedKey(table, id));
      const effect = now ? 'and works no more' : `and stops working within ${seconds} seconds`;
      print(options, summary, `Key ${id} ("${name}") is revoked since ${summary.revoked} ${effect}.`);
    });
