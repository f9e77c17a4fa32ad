import { pages } from '../cli/pages.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import type { Terminal } from '../cli/terminal.ts';
import { createCommand } from './create-command.ts';
import { findCommand } from './find-command.ts';
import { listCommand } from './list-command.ts';
import { revokeCommand } from './revoke-command.ts';
import { rotateCommand } from './rotate-command.ts';
import { updateCommand } from './update-command.ts';

const commands = [
  createCommand,
  listCommand,
  findCommand,
  updateCommand,
  rotateCommand,
  revokeCommand,
];

export const keysCommands = (terminal: Terminal): PetstoreCommand => {
  const keys = new PetstoreCommand('keys')
    .description('issue, list, find, change, rotate and revoke API keys')
    .page(pages.keys);
  for (const command of commands) {
    keys.addCommand(command(terminal));
  }
  return keys;
};
