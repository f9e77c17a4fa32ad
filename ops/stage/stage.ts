import type { APIGateway } from '@aws-sdk/client-api-gateway';
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parsePort } from '../cli/arguments.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { deployedStage } from './deployed-stage.ts';
import { localStage } from './local-stage.ts';

export const stageNames = ['staging', 'prod'] as const;

export interface Table {
  client: DynamoDB;
  TableName: string;
}

/** A stage on which a command works. */
export interface Stage {
  stageName: string;
  /** Says which it is and where. */
  description: string;
  /** Whether this is a deployed prod, where a mistake is costly. */
  isProduction: boolean;
  inventory: Table;
  apiKeys: Table;
  restApi: { client: APIGateway; restApiId: string };
}

export interface StageOptions {
  stage?: string;
  local?: boolean;
  port: number;
  json?: boolean;
  yes?: boolean;
}

/** Adds a command that works on a stage, which `findStage` finds by its options. */
export const addStageCommand = (group: Command, name: string, description: string): Command =>
  group
    .command(name)
    .description(description)
    .addOption(new Option('--stage <stage>', 'work on a deployed stage').choices(stageNames))
    .addOption(new Option('--local', 'work on a local run').conflicts('stage'))
    .addOption(
      new Option('--port <port>', 'the port of the local run')
        .argParser(parsePortOfRun)
        .default(3000)
        .conflicts('stage'),
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print the result as one JSON value')
    .hook('preAction', (command) => {
      const { stage, local } = command.opts<StageOptions>();
      if (stage === undefined && !local) {
        command.error('error: choose a target: --stage staging, --stage prod or --local');
      }
    });

const parsePortOfRun = (text: string): number => {
  const port = parsePort(text);
  if (port === 0) {
    throw new InvalidArgumentError('petstore start prints the port of its run.');
  }
  return port;
};

/** Finds the stage that the options name, and prints which it is. */
export const findStage = async (terminal: Terminal, options: StageOptions): Promise<Stage> => {
  const { stage: stageName, port } = options;
  const stage = await (stageName === undefined ? localStage(port) : deployedStage(stageName));
  tell(terminal, `Stage: ${stage.description}`);
  return stage;
};
