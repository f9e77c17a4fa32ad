import type { Command } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, type Terminal, tell } from '../cli/terminal.ts';
import { apiKeysOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseDuration, parseExpiry } from './expiry.ts';
import { endKey, epochSeconds, findIssuedKey, issueApiKey } from './issued-keys.ts';
import { isoTime, issuedLine, keySummary } from './key-summary.ts';

interface RotateOptions extends StageOptions {
  overlap: number;
  expires?: number;
}

export const rotateCommand = (terminal: Terminal): Command =>
  stageCommand('rotate', 'issue a key in place of another, which ends after an overlap', [
    'keys rotate 4be1c0ffee4be1c0 --overlap 24h --local',
    'keys rotate 4be1c0ffee4be1c0 --overlap 7d --expires 90d --stage prod',
  ])
    .argument('<id>', 'the key to replace, as keys list shows it')
    .requiredOption('--overlap <duration>', 'how long both keys work: 30m, 24h, 7d', parseDuration)
    .option('--expires <when>', 'when the new key ends (default: it lives as long as the old one was to)', parseExpiry)
    .addOption(yesOption())
    .action(async (id: string, { overlap, expires, ...options }: RotateOptions) => {
      const target = await findStage(terminal, options);
      const table = apiKeysOf(target);
      const old = await findIssuedKey(table, id);
      const now = epochSeconds();
      if (old.revokedAt !== undefined || (old.expiresAt ?? Infinity) <= now) {
        throw new CliError('conflict', `Key ${id} has ended already. Issue another: npx petstore keys create`);
      }
      if (target.isProduction) {
        await confirm(terminal, `Rotate key ${id} ("${old.name}") of prod?`, options.yes);
      }
      // First the end of the old one: an error in between leaves no second key that nobody has seen.
      const { lifetime = old.expiresAt === undefined ? null : old.expiresAt - old.createdAt } = old;
      await endKey(table, old, { expiresAt: now + overlap, lifetime });
      const expiresAt = expires ?? (lifetime === null ? undefined : now + lifetime);
      const { apiKey, record } = await issueApiKey(table, target.stageName, {
        name: old.name,
        ...(expiresAt !== undefined && { expiresAt }),
      });
      const summary = keySummary(record);
      const oldEnds = isoTime(Math.min(old.expiresAt ?? Infinity, now + overlap));
      tell(terminal, `Key ${id} works until ${oldEnds}. In its place:`);
      tell(terminal, issuedLine(summary));
      print(terminal, options, { ...summary, key: apiKey, replaces: { id, expires: oldEnds } }, apiKey);
    });
