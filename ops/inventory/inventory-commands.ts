import type { Command } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { addExportCommand } from './export-command.ts';
import { addGetCommand } from './get-command.ts';
import { addImportCommand } from './import-command.ts';
import { addRemoveCommand } from './remove-command.ts';
import { addSetCommand } from './set-command.ts';

const help = `
Examples:
  npx --no -- petstore inventory import pets.csv --dry-run --stage prod
  npx --no -- petstore inventory export stock.csv --stage prod
  npx --no -- petstore inventory set 42 --status sold --stage prod

More: docs/keys-and-stock.md`;

export const addInventoryCommands = (program: Command, terminal: Terminal): void => {
  const inventory = program
    .command('inventory')
    .description('import and export the stock; get, set or remove entries')
    .addHelpText('after', help);
  addImportCommand(inventory, terminal);
  addExportCommand(inventory, terminal);
  addGetCommand(inventory, terminal);
  addSetCommand(inventory, terminal);
  addRemoveCommand(inventory, terminal);
};
