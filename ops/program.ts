import { inspect, styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import { toJson } from '../functions/shared/json.ts';
import manifest from '../package.json' with { type: 'json' };
import { acceptanceCommand } from './acceptance.ts';
import { CliError, exitCodes } from './cli/cli-error.ts';
import { explain } from './cli/explain-error.ts';
import { hasColours, type Terminal, tell } from './cli/terminal.ts';
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

Environment: PETSTORE_STAGE (staging or local) is the stage of keys and inventory where none is named; NO_COLOR.

Exit codes: 0 done, 1 unexpected error, 2 wrong usage, 3 bad input, 4 conflict, 5 not found,
6 stage out of reach, 7 not confirmed, 8 a check failed, 130 interrupted`;

const petstore = (terminal: Terminal): Command => {
  const program = new Command('npx petstore')
    .description('Runs, deploys and fills the inventory service.')
    .version(manifest.version)
    .helpCommand(false)
    .addHelpText('after', help);
  const stageCommands = [startCommand, keysCommands, inventoryCommands];
  for (const command of [...stageCommands, preflightCommand, acceptanceCommand, releaseCommand]) {
    program.addCommand(command(terminal));
  }
  prepare(program, terminal);
  return program;
};

/** Makes a command and all below it print to the terminal alone, and throw instead of ending the process. */
const prepare = (command: Command, terminal: Terminal): void => {
  const { stdout, stderr } = terminal;
  command
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : usageError(command, error);
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHasColors: () => hasColours(terminal, stdout),
      getErrHasColors: () => hasColours(terminal, stderr),
    })
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) });
  for (const subcommand of command.commands) {
    prepare(subcommand, terminal);
  }
};

const usageError = (command: Command, { code, message }: CommanderError): CliError => {
  const path = [command, ...ancestors(command)].map((each) => each.name()).reverse();
  const reason = code === 'commander.help' ? 'Which command?' : message.replace(/^error: /, '');
  return new CliError('usage', reason, { hint: `Help: ${path.join(' ')} --help` });
};

const ancestors = ({ parent }: Command): Command[] => (parent ? [parent, ...ancestors(parent)] : []);

/** Runs `petstore` with these arguments and returns its exit code. Everything it prints goes to the terminal. */
export const runProgram = async (argv: string[], terminal: Terminal): Promise<number> => {
  try {
    await petstore(terminal).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // The help, or the version.
    if (error instanceof CommanderError && error.exitCode === 0) {
      return 0;
    }
    return report(error, terminal, {
      json: argv.includes('--json') && argv[0] !== 'start',
      verbose: argv.includes('--verbose'),
    });
  }
};

/** An API key that was given by mistake must not reach a log. */
const withoutKeys = (text: string): string => text.replace(/(petstore_[a-z]+_)\w+/g, '$1…');

const report = (error: unknown, terminal: Terminal, { json, verbose }: { json: boolean; verbose: boolean }): number => {
  const { code, message, hint = null, problems, cause } = explain(error);
  const name = hasColours(terminal, terminal.stderr)
    ? styleText('red', 'petstore:', { validateStream: false })
    : 'petstore:';
  const lines = [
    ...(json ? [] : [`${name} ${message}`, ...(hint ? [hint] : [])]),
    ...(verbose ? [inspect(cause ?? error)] : []),
    ...(json ? [toJson({ error: { code, message, hint, problems } })] : []),
  ];
  tell(terminal, withoutKeys(lines.join('\n')));
  return exitCodes[code];
};
