import { type Command, InvalidArgumentError } from 'commander';
import { confirm, print, type Terminal, tell } from '../cli/terminal.ts';
import { apiKeysOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseExpiry } from './expiry.ts';
import { issueApiKey } from './issued-keys.ts';
import { issuedLine, keySummary } from './key-summary.ts';

/** Names are shown in tables on terminals. */
const parseName = (text: string): string => {
  const name = text.trim();
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u.test(name)) {
    throw new InvalidArgumentError('It must have 1 to 64 letters, digits, signs or spaces, in one line.');
  }
  return name;
};

export const createCommand = (terminal: Terminal): Command =>
  stageCommand('create', 'issue an API key and print it, this once', [
    'keys create --name shop --local',
    'keys create --name shop --expires 90d --stage staging',
    'keys create --name audit --expires 2027-01-31 --stage prod --yes --json',
  ])
    .requiredOption('--name <name>', 'whom it is for; shown by keys list', parseName)
    .option('--expires <when>', 'when it ends: 24h, 90d, or a date (UTC)', parseExpiry)
    .addOption(yesOption())
    .action(async ({ name, expires, ...options }: StageOptions & { name: string; expires?: number }) => {
      const target = await findStage(terminal, options);
      if (target.isProduction) {
        await confirm(terminal, `Issue a key named "${name}" for prod?`, options.yes);
      }
      const { apiKey, record } = await issueApiKey(apiKeysOf(target), target.stageName, {
        name,
        ...(expires !== undefined && { expiresAt: expires }),
      });
      const summary = keySummary(record);
      tell(terminal, issuedLine(summary));
      print(terminal, options, { ...summary, key: apiKey }, apiKey);
    });
