import type { Command } from 'commander';
import { type Terminal, tableOf } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { allKeys } from './api-keys.ts';
import { type KeySummary, summaryOf } from './key-summary.ts';

interface ListOptions extends StageOptions {
  active?: boolean;
}

const head = ['ID', 'ACCESS', 'STATE', 'CREATED', 'ENDS', 'NAME'];

export const addListCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'list', 'list all keys ever created, oldest first')
    .option('--active', 'list only keys that work')
    .action(async (options: ListOptions) => {
      const work = await workOn(terminal, options);
      const all = (await allKeys(work.apiKeys)).map(summaryOf);
      const shown = options.active ? all.filter(({ state }) => state === 'active') : all;
      await work.print(shown, tableOf([head, ...shown.map(cellsOf)]));
    });

const cellsOf = ({ id, access, state, created, expires, revoked, name }: KeySummary): string[] =>
  // What somebody wrote by hand may be no text.
  [id, access, state, created, revoked ?? expires, name].map((cell) => String(cell ?? '-'));
