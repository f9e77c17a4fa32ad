import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import { toJson } from '../functions/shared/json.ts';
import manifest from '../package.json' with { type: 'json' };
import { acceptanceCommand } from './acceptance.ts';
import { CliError, exitCodes, toCliError } from './cli/cli-error.ts';
import { escapeControls, hasColors, type Terminal, write } from './cli/terminal.ts';
import { inventoryCommands } from './inventory/inventory-commands.ts';
import { keysCommands } from './keys/keys-commands.ts';
import { preflightCommand } from './preflight/preflight.ts';
import { releaseCommand } from './release.ts';
import { startCommand } from './start.ts';

const help = `
Examples:
  npx petstore start
  npx petstore keys create --name shop --expires 90d --local
  npx petstore inventory import pets.csv --stage staging

Environment: PETSTORE_STAGE (staging or local) is the default target of keys and inventory. NO_COLOR turns colors off.

Exit codes: 0 done, 1 unexpected error, 2 wrong usage, 3 bad input, 4 conflict, 5 not found,
6 stage cannot be reached, 7 not confirmed, 8 a check failed, 130 interrupted`;

const commands = [
  startCommand,
  keysCommands,
  inventoryCommands,
  preflightCommand,
  acceptanceCommand,
  releaseCommand,
];

/** Example command lines. The help of a command shows the examples that begin with its name. */
const examples = readFileSync(join(import.meta.dirname, 'examples.txt'), 'utf8').split('\n');

/**
 * Adds common options and examples to a command tree, and has it print to the terminal and throw,
 * never exit.
 */
const prepare = (command: Command, terminal: Terminal, path = command.name()): Command => {
  const { stdout, stderr } = terminal;
  for (const subcommand of command.commands) {
    const below = `${path} ${subcommand.name()}`;
    const own = examples.filter((example) => `${example} `.startsWith(`${below} `));
    prepare(subcommand.addHelpText('after', `\nExamples:\n  ${own.join('\n  ')}`), terminal, below);
  }
  if (command.commands.length === 0) {
    // The start command has its own --json, which sets the format of the logs.
    if (command.name() !== 'start') {
      command.option('--json', 'print the result as one JSON value');
    }
    command.option('--verbose', 'show where an error comes from');
  }
  return command
    .helpCommand(false)
    .exitOverride((error) => {
      if (error.exitCode === 0) {
        throw error;
      }
      const isBare = error.code === 'commander.help';
      const reason = isBare ? 'No command was given.' : error.message.replace(/^error: /, '');
      throw new CliError('usage', reason, { hint: `Help: ${path} --help` });
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHasColors: () => hasColors(terminal, stdout),
      getErrHasColors: () => hasColors(terminal, stderr),
    })
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) });
};

export const petstore = (terminal: Terminal): Command => {
  const program = commands.reduce(
    (all, command) => all.addCommand(command(terminal)),
    new Command('npx petstore'),
  );
  program
    .description('Runs, deploys and operates the inventory service.')
    .version(manifest.version);
  return prepare(program.addHelpText('after', help), terminal);
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
  const error = new CliError('unexpected', `Cannot write to standard output: ${cause?.message}.`, {
    cause,
  });
  return cause && code === 0 ? report(error, argv, terminal) : code;
};

const run = async (argv: string[], terminal: Terminal): Promise<number> => {
  try {
    await petstore(terminal).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // After Commander has printed the help or the version, it throws an error whose exit code is 0.
    return error instanceof CommanderError && error.exitCode === 0
      ? 0
      : report(error, argv, terminal);
  }
};

const report = (error: unknown, argv: string[], terminal: Terminal): number => {
  const { code, message, cause, details } = toCliError(error);
  const { hint = null, problems } = details;
  // For start, --json sets the format of the logs, not of errors.
  const json = argv.includes('--json') && argv[0] !== 'start';
  const colored = hasColors(terminal, terminal.stderr);
  const name = colored ? styleText('red', 'petstore:', { validateStream: false }) : 'petstore:';
  const trace = argv.includes('--verbose') ? [inspect(cause ?? error)] : [];
  const lines = json
    ? [...trace, toJson({ error: { code, message, hint, problems } })]
    : [message, ...(hint ? [hint] : []), ...trace];
  // An API key that was typed as an argument by mistake must not reach a log.
  const text = escapeControls(lines.join('\n')).replace(/(petstore_[a-z]+_)\w+/g, '$1…');
  terminal.stderr.write(`${json ? '' : `${name} `}${text}\n`);
  return exitCodes[code];
};
