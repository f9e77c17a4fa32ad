import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { CliError, exitCodes } from './cli/cli-error.ts';
import { explain } from './cli/explain-error.ts';
import { coloured, hasColours, type Terminal, tell } from './cli/terminal.ts';
import { inventoryCommands } from './inventory/inventory-commands.ts';
import { keysCommands } from './keys/keys-commands.ts';
import { startCommand } from './start.ts';

const help = `
Examples:
  npx petstore start
  npx petstore keys create --name shop --expires 90d --local
  npx petstore inventory import pets.csv --stage staging

Exit codes: 0 done, 1 unexpected error, 2 wrong usage, 3 bad input, 4 conflict, 5 not found,
6 stage out of reach, 7 not confirmed, 130 interrupted`;

const petstore = (terminal: Terminal): Command => {
  const program = new Command('npx petstore')
    .description('Runs, deploys and fills the inventory service.')
    .version(manifest.version)
    .helpCommand(false)
    .addHelpText('after', help);
  for (const command of [startCommand, keysCommands, inventoryCommands]) {
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
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => hasColours(terminal, stdout),
      getErrHasColors: () => hasColours(terminal, stderr),
    })
    .configureHelp({ styleTitle: (title) => `\u001b[1m${title}\u001b[22m` });
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
    if (error instanceof CommanderError) {
      return 0;
    }
    return report(error, terminal, {
      json: argv.includes('--json') && argv[0] !== 'start',
      verbose: argv.includes('--verbose'),
    });
  }
};

const report = (error: unknown, terminal: Terminal, { json, verbose }: { json: boolean; verbose: boolean }): number => {
  const { code, message, hint = null, problems, cause } = explain(error);
  if (!json) {
    tell(terminal, `${coloured(terminal, 'red', 'petstore:')} ${message}${hint ? `\n${hint}` : ''}`);
  }
  if (verbose) {
    tell(terminal, inspect(cause ?? error));
  }
  if (json) {
    tell(terminal, JSON.stringify({ error: { code, message, hint, problems } }));
  }
  return exitCodes[code];
};
