import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { assertEnforced } from './assert-enforced.ts';
import { issueApiKey } from './issued-keys.ts';
import { printIssued } from './print-key.ts';

interface CreateOptions extends StageOptions {
  name: string;
  readOnly?: boolean;
  /** In epoch seconds. */
  expires?: number;
}

export const createCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('create', 'issue an API key and print it once')
    .permissions('dynamodb:GetItem', 'dynamodb:PutItem')
    .examples(
      'keys create --name shop --local',
      'keys create --name dashboard --read-only --expires 90d --stage staging',
      'keys create --name audit --expires 2999-01-31 --stage prod --yes --json',
    )
    .requiredOption('--name <name>', 'whom the key is for; keys list shows it', parseName)
    .option('--read-only', 'the key lists the inventory, and changes nothing')
    .option('--expires <when>', 'when the key expires: 24h, 90d, or a date (UTC)', parseExpiry)
    .addOption(yesOption())
    .action((options: CreateOptions) => create(terminal, options));

const create = async (terminal: Terminal, options: CreateOptions): Promise<void> => {
  const { name, readOnly, expires: expiresAt } = options;
  const access = readOnly ? 'read' : 'write';
  const stage = await findStage(terminal, options);
  assertEnforced(stage, access);
  await confirm(terminal, {
    question: `Issue a ${readOnly ? 'read-only key' : 'key'} named "${name}" for prod?`,
    isConfirmed: options.yes || !stage.isProduction,
  });
  const { stageName } = stage;
  const issued = await issueApiKey(stage.apiKeys, { stageName, name, access, expiresAt });
  await printIssued(terminal, { options, stage, issued });
};
