import type { Command } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { addChangingCommand, type StageOptions, workToPrint } from '../stage/stage-command.ts';
import { issueApiKey } from './api-keys.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { endIn, printIssued } from './key-summary.ts';

interface CreateOptions extends StageOptions {
  name: string;
  readOnly?: boolean;
  /** In seconds. */
  expires?: number;
}

export const addCreateCommand = (keys: Command, terminal: Terminal): Command =>
  addChangingCommand(keys, 'create', 'create an API key and print it once')
    .requiredOption('--name <name>', 'who the key is for; keys list shows it', parseName)
    .option('--read-only', 'create a read-only key')
    .option('--expires <when>', 'when it expires: 24h, 90d (default: never)', parseExpiry)
    .action(async (options: CreateOptions) => {
      const { name, readOnly, expires: lifetime } = options;
      const work = await workToPrint(terminal, options);
      const end = endIn(lifetime ?? Infinity);
      await work.confirmOnProd(`Create a key named "${name}" for prod, which ${end}?`);
      const access = readOnly ? 'read' : 'write';
      const { stageName, apiKeys } = work;
      await printIssued(work, await issueApiKey(apiKeys, { stageName, name, access, lifetime }));
    });
