import type { Command } from 'commander';
import { authorizerCacheSeconds } from '../../infra/settings/authorizer-cache.ts';
import { confirm, print, type Terminal } from '../cli/terminal.ts';
import { apiKeysOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { endKey, epochSeconds, findIssuedKey } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';

export const revokeCommand = (terminal: Terminal): Command =>
  stageCommand('revoke', `end a key within ${authorizerCacheSeconds} seconds, or at once with --now`, [
    'keys revoke 4be1c0ffee4be1c0 --local',
    'keys revoke 4be1c0ffee4be1c0 --now --stage prod',
  ])
    .argument('<id>', 'as keys list shows it')
    .option('--now', "also empty the stage's authorizer cache, which costs every client's next request a check")
    .addOption(yesOption())
    .action(async (id: string, { now, ...options }: StageOptions & { now?: boolean }) => {
      const target = await findStage(terminal, options);
      const table = apiKeysOf(target);
      const { name } = await findIssuedKey(table, id);
      if (target.isProduction) {
        await confirm(terminal, `Revoke key ${id} ("${name}") of prod?`, options.yes);
      }
      await endKey(table, await findIssuedKey(table, id), { revokedAt: epochSeconds() });
      if (now) {
        await target.flushAuthorizersCache();
      }
      const summary = keySummary(await findIssuedKey(table, id));
      const effect = now ? 'and works no more' : `and stops working within ${authorizerCacheSeconds} seconds`;
      print(terminal, options, summary, `Key ${id} ("${name}") is revoked since ${summary.revoked} ${effect}.`);
    });
