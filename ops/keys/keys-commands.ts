import { Command } from 'commander';
import { createCommand } from './create.ts';
import { listCommand } from './list.ts';
import { revokeCommand } from './revoke.ts';
import { rotateCommand } from './rotate.ts';

export const keysCommands = (): Command =>
  new Command('keys')
    .description('issue, list, rotate and revoke API keys')
    .helpCommand(false)
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand())
    .addHelpText('after', '\nExample:\n  npm run ops -- keys list --local');
