import { Command } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { removeCommand } from './remove.ts';
import { resumeCommand } from './resume.ts';
import { setStatusCommand } from './set-status.ts';

export const inventoryCommands = (terminal: Terminal): Command =>
  new Command('inventory')
    .description('import and export stock, set a status, remove an entry')
    .helpCommand(false)
    .addCommand(importCommand(terminal))
    .addCommand(resumeCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(setStatusCommand(terminal))
    .addCommand(removeCommand(terminal))
    .addHelpText('after', '\nExample:\n  npx petstore inventory export --format csv --local');
