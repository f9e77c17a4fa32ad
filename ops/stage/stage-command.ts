import { Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { deployedStage } from './deployed-stage.ts';
import { localStage } from './local-stage.ts';
import type { Stage } from './stage.ts';

/** Options of every command that works on one stage. */
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
    .addOption(new Option('--local', 'work on a running petstore start').conflicts('stage'))
    .addOption(new Option('--port <port>', 'which petstore start, if several run').conflicts('stage'))
    .option('--json', 'print one JSON value')
    .option('--verbose', 'show where an error comes from')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  npx petstore ${example}`).join('\n')}`);

/** For commands that ask before they change something. */
export const yesOption = (): Option => new Option('--yes', 'do not ask for confirmation');

/** Finds the stage that the options name, or else `PETSTORE_STAGE`, and says which it is. */
export const findStage = async (terminal: Terminal, options: StageOptions): Promise<Stage> => {
  const { stage, local, port } =
    options.stage || options.local ? options : { ...options, ...fromEnvironment(terminal) };
  if (!stage && !local) {
    throw new CliError('usage', 'Say where: --stage staging, --stage prod or --local.');
  }
  const found = stage ? await deployedStage(stage) : await localStage(port, terminal.env);
  tell(terminal, `Stage: ${found.description}`);
  return found;
};

const fromEnvironment = ({ env: { PETSTORE_STAGE } }: Terminal): StageOptions => {
  switch (PETSTORE_STAGE) {
    case undefined:
    case '':
      return {};
    case 'staging':
      return { stage: 'staging' };
    case 'local':
      return { local: true };
    default:
      throw new CliError(
        'usage',
        `PETSTORE_STAGE must be staging or local, not "${PETSTORE_STAGE}"; prod is named by --stage prod alone.`,
      );
  }
};
