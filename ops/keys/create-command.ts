import type { Command } from 'commander';
import { confirm } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';
import { issueApiKey } from './api-keys.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { printIssued } from './key-summary.ts';

interface CreateOptions extends StageOptions {
  name: string;
  readOnly?: boolean;
  /** In epoch seconds. */
  expires?: number;
}

export const addCreateCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'create', 'issue an API key and print it once')
    .requiredOption('--name <name>', 'whom the key is for; keys list shows it', parseName)
    .option('--read-only', 'the key lists the inventory, and changes nothing')
    .option('--expires <when>', 'when it expires: 24h, 90d (default: never)', parseExpiry)
    .action((options: CreateOptions) => create(terminal, options));

const create = async (terminal: Terminal, options: CreateOptions): Promise<void> => {
  const { name, expires: expiresAt } = options;
  const stage = await findStage(terminal, options);
  if (stage.isProduction) {
    await confirm(terminal, options, `Issue a key named "${name}" for prod?`);
  }
  const access = options.readOnly ? 'read' : 'write';
  const { stageName, apiKeys } = stage;
  const issued = await issueApiKey(apiKeys, { stageName, name, access, expiresAt });
  await printIssued(terminal, options, issued);
};
