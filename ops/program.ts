import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { DeclinedError, reportError } from './cli/errors.ts';
import { write } from './cli/output.ts';
import { guarded, type Streams, type Terminal } from './cli/terminal.ts';
import { addInventoryCommands } from './inventory/inventory-commands.ts';
import { addKeysCommands } from './keys/keys-commands.ts';
import { addStartCommand } from './start/start-command.ts';

const help = `
Examples:
  npx --no -- petstore start
  npx --no -- petstore keys create --name shop --expires 90d --local
  npx --no -- petstore inventory import pets.csv --stage staging

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 the answer was no`;

/** Returns the petstore command, which prints to the terminal and throws where it would exit. */
export const petstore = (terminal: Terminal): Command => {
  const program = new Command('petstore')
    .description('Runs and operates the inventory service.')
    .version(manifest.version)
    .addHelpText('after', help)
    .showHelpAfterError('(for usage, add --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });
  addStartCommand(program, terminal);
  addKeysCommands(program, terminal);
  addInventoryCommands(program, terminal);
  return program;
};

/** Runs `petstore` with these arguments. Returns its exit code. */
export const runProgram = async (words: string[], streams: Streams): Promise<number> => {
  const terminal = guarded(streams);
  // Whoever writes learns of errors, which would otherwise end the process.
  terminal.stdout.on('error', () => {});
  try {
    await runCommand(words, terminal);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error, and so has a group without a command its help.
      return 2;
    }
    reportError(terminal, error, words.includes('--json'));
    return error instanceof DeclinedError ? 3 : 1;
  }
};

/** Runs a command until all that it prints is written. */
const runCommand = async (words: string[], terminal: Terminal): Promise<void> => {
  try {
    await petstore(terminal).parseAsync(words, { from: 'user' });
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    if (!isHelp) {
      throw error;
    }
  }
  await write(terminal, '');
};
