import { Command } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { createCommand } from './create.ts';
import { listCommand } from './list.ts';
import { revokeCommand } from './revoke.ts';
import { rotateCommand } from './rotate.ts';

export const keysCommands = (terminal: Terminal): Command =>
  new Command('keys')
    .description('issue, list, rotate and revoke API keys')
    .helpCommand(false)
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(rotateCommand(terminal))
    .addCommand(revokeCommand(terminal))
    .addHelpText('after', '\nExample:\n  npx petstore keys list --local');
