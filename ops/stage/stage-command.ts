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
    .option('--local', 'work on the local run')
    .option('--port <port>', 'the port of the local run, if several are running', parsePort)
    .permissions('cloudformation:DescribeStacks');

export const yesOption = (): Option => new Option('--yes', 'do not ask for confirmation');

/**
 * Finds the stage that the options or, without any, `PETSTORE_STAGE` names, and prints which it is.
 */
export const findStage = async (terminal: Terminal, options: StageOptions): Promise<Stage> => {
  const { env } = terminal;
  const name = nameIn(options) ?? nameInEnvironment(env);
  const stage = await (name === 'local' ? localStage(options.port, env) : deployedStage(name));
  tell(terminal, `Stage: ${stage.description}`);
  return stage;
};

const nameIn = ({ stage, local, port }: StageOptions): string | undefined => {
  const isLocal = local || port !== undefined;
  if (isLocal && stage !== undefined) {
    const option = local ? '--local' : '--port';
    const message = `${option} is for the local run, and cannot be used with --stage ${stage}.`;
    throw new CliError('usage', message);
  }
  return isLocal ? 'local' : stage;
};

const nameInEnvironment = ({ PETSTORE_STAGE = '' }: NodeJS.ProcessEnv): string => {
  if (PETSTORE_STAGE === '') {
    throw new CliError('usage', 'Choose a target: --stage staging, --stage prod or --local.');
  }
  // prod must be named on the command line, so that no forgotten variable changes it.
  if (PETSTORE_STAGE !== 'staging' && PETSTORE_STAGE !== 'local') {
    const message = `PETSTORE_STAGE must be staging or local, not "${PETSTORE_STAGE}".`;
    throw new CliError('usage', `${message} For prod, use --stage prod.`);
  }
  return PETSTORE_STAGE;
};
