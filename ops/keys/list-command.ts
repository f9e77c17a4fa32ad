import type { Command } from 'commander';
import { type Terminal, tableOf } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions, workOn } from '../stage/stage-command.ts';
import { allKeys } from './api-keys.ts';
import { type KeySummary, summaryOf } from './key-summary.ts';

/** The columns of the list, by their heads. */
const columns: Record<string, (key: KeySummary) => string | null> = {
  ID: ({ id }) => id,
  ACCESS: ({ access }) => access,
  STATE: ({ state }) => state,
  CREATED: ({ created }) => created,
  ENDS: ({ revoked, expires }) => revoked ?? expires,
  NAME: ({ name }) => name,
};

export const addListCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'list', 'list all keys ever created, oldest first').action(
    async (options: StageOptions) => {
      const work = await workOn(terminal, options);
      const shown = (await allKeys(work.apiKeys)).map(summaryOf);
      await work.print(shown, tableOf([Object.keys(columns), ...shown.map(cellsOf)]));
    },
  );

const cellsOf = (key: KeySummary): string[] =>
  Object.values(columns).map((cell) => cell(key) ?? '-');
