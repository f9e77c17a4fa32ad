import type { Command } from 'commander';
import { newFile } from '../cli/output.ts';
import type { Terminal } from '../cli/terminal.ts';
import { addChangingCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { issueApiKey } from './api-keys.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { endIn, printIssued } from './key-summary.ts';

interface CreateOptions extends StageOptions {
  name: string;
  readOnly?: boolean;
  /** In seconds. */
  expires?: number;
  out?: string;
}

export const addCreateCommand = (keys: Command, terminal: Terminal): Command =>
  addChangingCommand(keys, 'create', 'create an API key and print it once')
    .requiredOption('--name <name>', 'who the key is for; keys list shows it', parseName)
    .option('--read-only', 'create a read-only key')
    .option('--expires <when>', 'when it expires: 24h, 90d (default: never)', parseExpiry)
    .option('--out <file>', 'write it into a file that only you can read, and print its ID')
    .action(async (options: CreateOptions) => {
      const { name, readOnly, expires: lifetime, out } = options;
      const work = await workOn(terminal, options);
      const end = endIn(lifetime ?? Infinity);
      await work.confirmOnProd(`Create a key named "${name}" for prod, which ${end}?`);
      const access = readOnly ? 'read' : 'write';
      const { stageName, apiKeys } = work;
      // Before the key, so that none is issued that cannot be written.
      await using file = out === undefined ? null : await newFile(out);
      const issued = await issueApiKey(apiKeys, { stageName, name, access, lifetime });
      await printIssued(work, issued, file);
    });
