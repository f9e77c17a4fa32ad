import { pages } from '../cli/pages.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import type { Terminal } from '../cli/terminal.ts';
import { checkCommand } from './check-command.ts';
import { exportCommand } from './export-command.ts';
import { getCommand } from './get-command.ts';
import { importCommand } from './import-command.ts';
import { listCommand } from './list-command.ts';
import { removeCommand } from './remove-command.ts';
import { setCommand, setStatusCommand } from './set-commands.ts';

const commands = [
  importCommand,
  exportCommand,
  checkCommand,
  listCommand,
  getCommand,
  setCommand,
  setStatusCommand,
  removeCommand,
];

export const inventoryCommands = (terminal: Terminal): PetstoreCommand => {
  const inventory = new PetstoreCommand('inventory')
    .description('import, export, list and check stock; show or change one entry')
    .page(pages.stock);
  for (const command of commands) {
    inventory.addCommand(command(terminal));
  }
  return inventory;
};
