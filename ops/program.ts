import { styleText } from 'node:util';
import { type Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { acceptanceCommand } from './acceptance/acceptance-command.ts';
import { CliError } from './cli/cli-error.ts';
import { npxPetstore } from './cli/command-line.ts';
import { PetstoreCommand } from './cli/petstore-command.ts';
import { reportError } from './cli/report-error.ts';
import { hasColors, type Terminal, write } from './cli/terminal.ts';
import { inventoryCommands } from './inventory/inventory-commands.ts';
import { keysCommands } from './keys/keys-commands.ts';
import { releaseCommand } from './release/release-command.ts';
import { startCommand } from './start/start-command.ts';

const exitCodes = `
Exit codes: 0 done, 1 unexpected error, 2 wrong usage, 3 bad input, 4 conflict, 5 not found,
6 stage cannot be reached, 7 not confirmed, 8 a check failed, 130 interrupted`;

const commands = [startCommand, keysCommands, inventoryCommands, acceptanceCommand, releaseCommand];

export const petstore = (terminal: Terminal): PetstoreCommand => {
  const program = new PetstoreCommand(npxPetstore)
    .description('Runs, deploys and operates the inventory service.')
    .version(manifest.version)
    .examples(
      'start',
      'keys create --name shop --expires 90d --local',
      'inventory import pets.csv --stage staging',
    )
    .environment(
      'PETSTORE_STAGE (staging or local) is the default target of keys and inventory.\n' +
        'NO_COLOR turns colors off.',
    )
    .addHelpText('after', exitCodes);
  for (const command of commands) {
    program.addCommand(command(terminal));
  }
  prepare(program, terminal);
  return program;
};

/** Adds common options, and has the command and its subcommands print to the terminal and throw. */
const prepare = (command: PetstoreCommand, terminal: Terminal, path = command.name()): void => {
  for (const subcommand of command.commands) {
    prepare(subcommand, terminal, `${path} ${subcommand.name()}`);
  }
  if (command.commands.length > 0) {
    command.helpCommand('help [command]', 'display help for a command');
  } else {
    addCommonOptions(command);
  }
  printTo(command, terminal).exitOverride((error) => throwUsageError(error, path));
};

const addCommonOptions = (command: Command): void => {
  // The start command prints no result, but how to reach what it runs.
  if (command.name() !== 'start') {
    command.option('--json', 'print the result as one JSON value');
  }
  command.option('--verbose', 'show where an error comes from');
};

const printTo = (command: Command, terminal: Terminal): Command =>
  command
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      // Errors are thrown, and reported in one place.
      outputError: () => {},
      getOutHasColors: () => hasColors(terminal, terminal.stdout),
      getErrHasColors: () => hasColors(terminal, terminal.stderr),
    })
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) });

/** Throws, where Commander would exit: a CliError, unless help or version were asked for. */
const throwUsageError = (error: CommanderError, path: string): never => {
  if (error.exitCode === 0) {
    throw error;
  }
  const isBare = error.code === 'commander.help';
  const reason = isBare ? 'No command was given.' : inSentences(error.message);
  throw new CliError('usage', reason, { hint: `Help: ${path} --help` });
};

/** Turns `error: unknown option '--jsn'\n(Did you mean --json?)` into sentences. */
const inSentences = (message: string): string => {
  const [, reason = '', suggestion = ''] =
    /^(?:error: )?(.*?)(\n\(Did you mean .*\))?$/s.exec(message) ?? [];
  const end = /[.?]$/.test(reason) ? '' : '.';
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${end}${suggestion}`;
};

/**
 * Runs `petstore` with these arguments and returns its exit code. Everything it prints goes to the
 * terminal.
 */
export const runProgram = async (argv: string[], terminal: Terminal): Promise<number> => {
  const failures: NodeJS.ErrnoException[] = [];
  terminal.stdout.on('error', (error) => failures.push(error));
  terminal.stderr.on('error', () => {});
  const code = await run(argv, terminal);
  await write(terminal, '');
  // EPIPE is no failure: a reader such as head may close the pipe early.
  const cause = failures.find((failure) => failure.code !== 'EPIPE');
  if (!cause || code !== 0) {
    return code;
  }
  const message = `Cannot write to standard output: ${cause.message}.`;
  return report(new CliError('unexpected', message, { cause }), argv, terminal);
};

const run = async (argv: string[], terminal: Terminal): Promise<number> => {
  const program = petstore(terminal);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // After Commander has printed the help or the version, it throws an error whose exit code is 0.
    const isDone = error instanceof CommanderError && error.exitCode === 0;
    return isDone ? 0 : report(error, argv, terminal);
  }
};

const report = (error: unknown, argv: string[], terminal: Terminal): number =>
  reportError(terminal, error, {
    json: argv.includes('--json'),
    verbose: argv.includes('--verbose'),
  });
