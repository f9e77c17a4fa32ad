import type { Command } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { addCreateCommand } from './create-command.ts';
import { addExpireCommand } from './expire-command.ts';
import { addFindCommand } from './find-command.ts';
import { addListCommand } from './list-command.ts';
import { addRevokeCommand } from './revoke-command.ts';

const help = `
Examples:
  npx --no -- petstore keys create --name shop --out shop.key --stage prod
  npx --no -- petstore keys expire ID 24h --stage prod
  npx --no -- petstore keys find --stage prod < leaked.txt
  npx --no -- petstore keys revoke ID --stage prod

More: docs/keys-and-stock.md`;

export const addKeysCommands = (program: Command, terminal: Terminal): void => {
  const keys = program
    .command('keys')
    .description('create, list, find, expire and revoke API keys')
    .addHelpText('after', help);
  addCreateCommand(keys, terminal);
  addListCommand(keys, terminal);
  addFindCommand(keys, terminal);
  addExpireCommand(keys, terminal);
  addRevokeCommand(keys, terminal);
};
