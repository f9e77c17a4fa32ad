import { Command, CommanderError } from 'commander';
import { exitCodes } from './cli/cli-error.ts';
import { explain } from './cli/explain-error.ts';
import { inventoryCommands } from './inventory/inventory-commands.ts';
import { keysCommands } from './keys/keys-commands.ts';

const program = new Command('npm run ops --')
  .description('What operators of the inventory service do: issue API keys and load stock.')
  .helpCommand(false)
  .addCommand(keysCommands())
  .addCommand(inventoryCommands())
  .addHelpText(
    'after',
    `
Examples:
  npm run ops -- keys create --name shop --expires 90d --local
  npm run ops -- inventory import pets.csv --stage staging

Exit codes: 0 done, 1 unexpected error, 2 wrong usage, 3 bad input, 4 conflict, 5 not found,
6 stage out of reach, 7 not confirmed, 130 interrupted`,
  );

const settle = (command: Command): void => {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'ops: ')) });
  command.commands.forEach(settle);
};
settle(program);

// A reader such as head may leave early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    const { message, exitCode, cause } = explain(error);
    console.error(`ops: ${message}`);
    if (process.argv.includes('--verbose')) {
      console.error(cause ?? error);
    }
    process.exitCode = exitCode;
  }
}
