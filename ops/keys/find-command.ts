import type { Command } from 'commander';
import { CliError } from '../cli/errors.ts';
import { readSecret } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import {
  addStageCommand,
  type StageOptions,
  type Work,
  workToPrint,
} from '../stage/stage-command.ts';
import { storedKey } from './api-keys.ts';
import { printKey } from './key-summary.ts';

export const addFindCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(
    keys,
    'find',
    'show whose key this is (reads a key, or text that contains one)',
  ).action(async (options: StageOptions) => find(await workToPrint(terminal, options)));

const find = async (work: Work): Promise<void> => {
  const { apiKeys, stageName, terminal } = work;
  const apiKey = keyIn(await readSecret(terminal, 'API key (not shown): '));
  if (!apiKey.startsWith(`petstore_${stageName}_`)) {
    throw new CliError(`This key belongs to another stage, not to ${stageName}.`);
  }
  const key = await storedKey(apiKeys, apiKey);
  if (key === undefined) {
    throw new CliError(`This key was never created for ${stageName}.`);
  }
  await printKey(work, key);
};

/** Returns the only API key in a text. */
const keyIn = (text: string): string => {
  const found = new Set(text.match(/petstore_[a-z]+_[0-9a-f]{48}/g));
  const [apiKey] = found;
  if (apiKey === undefined) {
    throw new CliError('No API key found in the input: petstore_STAGE_ and 48 hex digits.');
  }
  if (found.size > 1) {
    throw new CliError(`The input contains ${found.size} API keys. Look them up one at a time.`);
  }
  return apiKey;
};
