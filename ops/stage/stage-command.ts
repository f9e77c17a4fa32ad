import { Command, Option } from 'commander';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/cli-error.ts';
import { deployedStage } from './deployed-stage.ts';
import { localRun } from './local-stage.ts';
import type { Target } from './stage.ts';

/** Options of every command. */
export interface StageOptions {
  stage?: string;
  local?: boolean;
  port?: string;
  json?: boolean;
  yes?: boolean;
}

/** A command that works on one stage, with its examples in its help. */
export const stageCommand = (name: string, description: string, examples: string[]): Command =>
  new Command(name)
    .description(description)
    .addOption(new Option('--stage <stage>', 'work on a deployed stage').choices(['staging', 'prod']))
    .addOption(new Option('--local', 'work on a running npm start').conflicts('stage'))
    .option('--port <port>', 'which npm start, if several run')
    .option('--json', 'answer in JSON')
    .option('--verbose', 'show where an error comes from')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  npm run ops -- ${example}`).join('\n')}`);

/** For commands that ask before they change something. */
export const yesOption = (): Option => new Option('--yes', 'do not ask for confirmation');

/** Finds what the options name and says which it is. */
export const findTarget = async ({ stage, local, port }: StageOptions): Promise<Target> => {
  if (!stage && !local) {
    throw new CliError('usage', 'Say where: --stage staging, --stage prod or --local.');
  }
  const target = stage ? await deployedStage(stage) : await localRun(port);
  console.error(`Stage: ${target.description}`);
  return target;
};

/** What a command answers on standard output: as JSON or as text. */
export const print = ({ json }: StageOptions, value: unknown, text: string): void =>
  console.log(json ? toJson(value) : text);
