import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { apiKeyPattern } from '../../functions/keys/api-key.ts';
import { CliError } from '../cli/errors.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions, type Work, workOn } from '../stage/stage-command.ts';
import { storedKey } from './api-keys.ts';
import { printKey } from './key-summary.ts';

export const addFindCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'find', 'show whose key this is: reads text that contains one').action(
    async (options: StageOptions) => find(await workOn(terminal, options)),
  );

const find = async (work: Work): Promise<void> => {
  const { apiKeys, stageName, terminal } = work;
  const { stdin } = terminal;
  if (stdin.isTTY) {
    tell(terminal, 'Paste the key, and type Enter and Ctrl-D:');
  }
  const [apiKey, ...others] = new Set(
    (await text(stdin)).match(new RegExp(apiKeyPattern(stageName), 'g')),
  );
  if (apiKey === undefined) {
    throw new CliError(`No key of ${stageName} is in this text.`);
  }
  if (others.length > 0) {
    throw new CliError(`The text has ${others.length + 1} keys. Look them up one at a time.`);
  }
  const key = await storedKey(apiKeys, apiKey);
  if (key === undefined) {
    throw new CliError(`This key was never created for ${stageName}.`);
  }
  await printKey(work, key);
};
