import { Option } from 'commander';
import { parsePort } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { deployedStage } from './deployed-stage.ts';
import { localStage } from './local-stage.ts';
import { type Stage, stageNames } from './stage.ts';

export interface StageOptions {
  stage?: string;
  local?: boolean;
  port?: number;
  json?: boolean;
  yes?: boolean;
}

/** Makes a command that works on a stage, which `findStage` finds by the options. */
export const stageCommand = (name: string, description: string): PetstoreCommand =>
  new PetstoreCommand(name)
    .description(description)
    .addOption(new Option('--stage <stage>', 'work on a deployed stage').choices(stageNames))
    .addOption(new Option('--local', 'work on a running petstore start').conflicts('stage'))
    .addOption(
      new Option('--port <port>', 'its port, if several are running')
        .argParser(parsePort)
        .conflicts('stage'),
    );

export const yesOption = (): Option => new Option('--yes', 'do not ask for confirmation');

/**
 * Finds the stage that the options or, without any, `PETSTORE_STAGE` names, and prints which it is.
 */
export const findStage = async (
  terminal: Terminal,
  { stage, local, port }: StageOptions,
): Promise<Stage> => {
  const { PETSTORE_STAGE = '' } = terminal.env;
  const name = stage ?? (local || port !== undefined ? 'local' : PETSTORE_STAGE);
  if (name === '') {
    throw new CliError('usage', 'Choose a target: --stage staging, --stage prod or --local.');
  }
  if (!stage && !['staging', 'local'].includes(name)) {
    throw new CliError(
      'usage',
      `PETSTORE_STAGE must be staging or local, not "${name}". For prod, use --stage prod.`,
    );
  }
  const found = name === 'local' ? await localStage(port, terminal.env) : await deployedStage(name);
  tell(terminal, `Stage: ${found.description}`);
  return found;
};
