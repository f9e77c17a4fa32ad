import type { Command } from 'commander';
import { print, type Terminal, tableOf } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';
import { allKeys } from './api-keys.ts';
import { type KeySummary, summaryOf } from './key-summary.ts';

interface ListOptions extends StageOptions {
  active?: boolean;
}

const head = ['ID', 'ACCESS', 'STATE', 'CREATED', 'ENDS', 'NAME'];

export const addListCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'list', 'list every key ever issued, the oldest first')
    .option('--active', 'only the keys that work')
    .action(async (options: ListOptions) => {
      const { apiKeys } = await findStage(terminal, options);
      const all = (await allKeys(apiKeys)).map(summaryOf);
      const shown = options.active ? all.filter(({ state }) => state === 'active') : all;
      await print(terminal, options, shown, tableOf([head, ...shown.map(cellsOf)]));
    });

const cellsOf = ({ id, access, state, created, expires, revoked, name }: KeySummary): string[] =>
  // What somebody wrote by hand may be no text.
  [id, access, state, created, revoked ?? expires, name].map((cell) => String(cell ?? '-'));
