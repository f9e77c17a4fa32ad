import type { Command } from 'commander';
import { CliError } from '../cli/errors.ts';
import { readSecret } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import { addStageCommand, findStage, type StageOptions } from '../stage/stage.ts';
import { storedKey } from './api-keys.ts';
import { printKey } from './key-summary.ts';

export const addFindCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'find', 'read a key, or a line that holds one: whose is it?').action(
    async (options: StageOptions) => {
      const stage = await findStage(terminal, options);
      const text = await readSecret(terminal, 'API key (not shown): ');
      const [apiKey] = /petstore_[a-z]+_[0-9a-f]{48}/.exec(text) ?? [];
      if (apiKey === undefined) {
        throw new CliError('There is no API key in this: petstore_STAGE_ and 48 hex digits.');
      }
      const key = await storedKey(stage.apiKeys, apiKey);
      if (key === undefined) {
        throw new CliError(`This key was never issued for ${stage.stageName}.`);
      }
      await printKey(terminal, options, key);
    },
  );
