import type { Command } from 'commander';
import { findTarget, print, type StageOptions, stageCommand, yesOption } from '../stage-command.ts';
import { apiKeysOf } from '../target/target.ts';
import { confirm } from '../terminal/confirm.ts';
import { parseExpiry } from './expiry.ts';
import { issueApiKey } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';

export const createCommand = (): Command =>
  stageCommand('create', 'issue an API key and print it, this once', [
    'keys create --name shop --local',
    'keys create --name shop --expires 90d --stage staging',
    'keys create --name audit --expires 2027-01-31 --stage prod --yes --json',
  ])
    .requiredOption('--name <name>', 'whom it is for; shown by keys list and in logs')
    .option('--expires <when>', 'when it ends: 24h, 90d, or a date (UTC)', parseExpiry)
    .addOption(yesOption())
    .action(async ({ name, expires, ...options }: StageOptions & { name: string; expires?: number }) => {
      const target = await findTarget(options);
      if (target.isProduction) {
        await confirm(`Issue a key named "${name}" for prod?`, options.yes);
      }
      const { apiKey, record } = await issueApiKey(apiKeysOf(target), target.stageName, {
        name,
        ...(expires !== undefined && { expiresAt: expires }),
      });
      const summary = keySummary(record);
      console.error(`Key ${summary.id}, ${summary.expires ? `until ${summary.expires}` : 'without end'}. Keep it now:`);
      print(options, { ...summary, key: apiKey }, apiKey);
    });
