import { type Command, InvalidArgumentError, Option } from 'commander';
import { toJson } from '../../functions/shared/json.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { parsePort } from '../cli/arguments.ts';
import { print, requireOutput } from '../cli/output.ts';
import { askForCode, confirm } from '../cli/questions.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { deployedStage } from './deployed-stage.ts';
import { localStage } from './local-stage.ts';
import type { Stage } from './stage.ts';

export interface StageOptions {
  stage?: string;
  local?: boolean;
  port: number;
  json?: boolean;
  yes?: boolean;
}

/** The options of which one is needed. */
const targets = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format([
  ...stageNames.map((name) => `--stage ${name}`),
  '--local',
]);

/** Adds a command that works on a stage, which `workOn` finds by its options. */
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
    .option('--json', 'print the result as one JSON value')
    .hook('preAction', (command) => {
      const { stage, local } = command.opts<StageOptions>();
      if (stage === undefined && !local) {
        command.error(`error: choose a target: ${targets}`);
      }
    });

/** Adds a command that changes something of a stage, and asks before it does where that is costly. */
export const addChangingCommand = (group: Command, name: string, description: string): Command =>
  addStageCommand(group, name, description).option('--yes', 'do not ask for confirmation');

const parsePortOfRun = (text: string): number => {
  const port = parsePort(text);
  if (port === 0) {
    throw new InvalidArgumentError('petstore start prints the port of its run.');
  }
  return port;
};

/** A command at work: on its stage, and with what it asks and prints. */
export interface Work extends Stage {
  terminal: Terminal;
  /** Asks, unless --yes was given. Throws unless the reply is yes. */
  confirm(question: string): Promise<void>;
  /** Asks where a mistake is costly: on a deployed prod. */
  confirmOnProd(question: string): Promise<void>;
  /** Prints the result: the value in JSON with --json, else the text. */
  print(value: unknown, text?: string): Promise<void>;
}

/** Begins the work of a command on the stage that its options name, and prints which it is. */
export const workOn = async (terminal: Terminal, options: StageOptions): Promise<Work> => {
  const { stage: stageName, port } = options;
  const stage = await (stageName === undefined
    ? localStage(port)
    : deployedStage(stageName, (serialNumber, signal) =>
        askForCode(terminal, serialNumber, signal),
      ));
  tell(terminal, `Stage: ${stage.description}`);
  const ask = (question: string) => confirm(terminal, options, question);
  return {
    ...stage,
    terminal,
    confirm: ask,
    confirmOnProd: async (question) => {
      if (stage.isProduction) {
        await ask(question);
      }
    },
    print: (value, text = toJson(value)) => print(terminal, options, value, text),
  };
};

/**
 * Begins the work of a command whose output is all that one gets of it, such as a new key. Other
 * commands do their work although nobody reads what they print: a program may have started them so.
 * @throws CliError if the output leads nowhere
 */
export const workToPrint = async (terminal: Terminal, options: StageOptions): Promise<Work> => {
  requireOutput(terminal);
  return workOn(terminal, options);
};
