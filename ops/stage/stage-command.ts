import { type Command, Option } from 'commander';
import { toJson } from '../../functions/shared/json.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { parsePort } from '../cli/arguments.ts';
import { print } from '../cli/output.ts';
import { confirm } from '../cli/questions.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { deployedStage } from './deployed-stage.ts';
import { localStage } from './local-stage.ts';
import type { Stage } from './stage.ts';

export interface StageOptions {
  stage?: string;
  local?: boolean;
  /** The port of the local run. */
  port: number;
  json?: boolean;
  yes?: boolean;
}

/** Adds a command that works on a stage, which `workOn` finds by its options. */
export const addStageCommand = (group: Command, name: string, description: string): Command =>
  group
    .command(name)
    .description(description)
    .addOption(new Option('--stage <stage>', 'work on a deployed stage').choices(stageNames))
    .addOption(new Option('--local', 'work on a local run').conflicts('stage'))
    .addOption(
      new Option('--port <port>', 'the port of the local run')
        .argParser(parsePort)
        .default(3000)
        .conflicts('stage'),
    )
    .option('--json', 'print the result as one JSON value')
    .hook('preAction', (command) => {
      const { stage, local } = command.opts<StageOptions>();
      if (stage === undefined && !local) {
        command.error(`error: choose --stage ${stageNames.join(', --stage ')} or --local`);
      }
    });

/** Adds a command that changes something of a stage, and asks before it does on prod. */
export const addChangingCommand = (group: Command, name: string, description: string): Command =>
  addStageCommand(group, name, description).option('--yes', 'do not ask for confirmation');

/** A command at work: on its stage, and with what it asks and prints. */
export interface Work extends Stage {
  terminal: Terminal;
  /** Asks where a mistake is costly: on a deployed prod. Throws unless the reply is yes. */
  confirmOnProd(question: string): Promise<void>;
  /** Prints the result: the value in JSON with --json, else the text. */
  print(value: unknown, text?: string): Promise<void>;
}

/** Begins the work of a command on the stage that its options name, and prints which it is. */
export const workOn = async (terminal: Terminal, options: StageOptions): Promise<Work> => {
  const { stage: stageName, port } = options;
  const stage = await (stageName === undefined ? localStage(port) : deployedStage(stageName));
  tell(terminal, `Stage: ${stage.description}`);
  return {
    ...stage,
    terminal,
    confirmOnProd: async (question) => {
      if (stage.isProduction) {
        await confirm(terminal, options, question);
      }
    },
    print: (value, text = toJson(value)) => print(terminal, options, value, text),
  };
};
