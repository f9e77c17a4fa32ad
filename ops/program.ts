import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { reportError } from './cli/errors.ts';
import type { Terminal } from './cli/terminal.ts';
import { addInventoryCommands } from './inventory/inventory-commands.ts';
import { addKeysCommands } from './keys/keys-commands.ts';
import { refuseOptionsTakenByNpm } from './npm-options.ts';
import { addStartCommand } from './start/start-command.ts';

const help = `
Examples:
  npx --no -- petstore start
  npx --no -- petstore keys create --name shop --expires 90d --local
  npx --no -- petstore inventory import pets.csv --stage staging

Exit codes: 0 done, 1 failed, 2 wrong usage`;

/** Returns the petstore command, which prints to the terminal and throws where it would exit. */
export const petstore = (terminal: Terminal): Command => {
  const program = new Command('petstore')
    .description('Runs and operates the inventory service.')
    .version(manifest.version)
    .addHelpText('after', help)
    .showHelpAfterError('(--help shows how it is used)')
    .exitOverride()
    .hook('preSubcommand', (_program, command) => refuseOptionsTakenByNpm(command, terminal.env))
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
export const runProgram = async (words: string[], terminal: Terminal): Promise<number> => {
  // A reader such as head may leave early, which is no failure; whoever writes learns of others.
  terminal.stdout.on('error', () => {});
  try {
    await petstore(terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error, or the help that was asked for.
      return error.exitCode === 0 ? 0 : 2;
    }
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
      return 0;
    }
    reportError(terminal, error, words.includes('--json'));
    return 1;
  }
};
