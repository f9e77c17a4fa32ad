import type { Command } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { addCreateCommand } from './create-command.ts';
import { addFindCommand } from './find-command.ts';
import { addListCommand } from './list-command.ts';
import { addRevokeCommand } from './revoke-command.ts';
import { addRotateCommand } from './rotate-command.ts';
import { addUpdateCommand } from './update-command.ts';

const help = `
Examples:
  npx --no -- petstore keys create --name shop --expires 90d --stage prod
  npx --no -- petstore keys rotate ID --overlap 24h --stage prod > new.key && mv new.key shop.key
  npx --no -- petstore keys find --stage prod < leaked.txt
  npx --no -- petstore keys revoke ID --now --stage prod

The shell empties an output file before the command runs. The rotation above therefore writes
new.key: if it fails, shop.key still holds the old key.

More: docs/keys.md`;

export const addKeysCommands = (program: Command, terminal: Terminal): void => {
  const keys = program
    .command('keys')
    .description('create, list, find, update, rotate and revoke API keys')
    .addHelpText('after', help);
  addCreateCommand(keys, terminal);
  addListCommand(keys, terminal);
  addFindCommand(keys, terminal);
  addUpdateCommand(keys, terminal);
  addRotateCommand(keys, terminal);
  addRevokeCommand(keys, terminal);
};
