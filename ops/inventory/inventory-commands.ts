import { Command } from 'commander';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { removeCommand } from './remove.ts';
import { resumeCommand } from './resume.ts';
import { setStatusCommand } from './set-status.ts';

export const inventoryCommands = (): Command =>
  new Command('inventory')
    .description('import and export stock, set a status, remove an entry')
    .helpCommand(false)
    .addCommand(importCommand())
    .addCommand(resumeCommand())
    .addCommand(exportCommand())
    .addCommand(setStatusCommand())
    .addCommand(removeCommand())
    .addHelpText('after', '\nExample:\n  npm run ops -- inventory export --format csv --local');
