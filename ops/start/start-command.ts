import { type Command, Option } from 'commander';
import type { Terminal } from '../cli/terminal.ts';
import { stageNames } from '../stage/stage.ts';
import type { StartOptions } from './run-service.ts';

export const addStartCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('start')
    .description('run the service on this machine, from its synthesized template')
    .option('--port <port>', 'port to listen on; 0 picks a free one', Number, 3000)
    .addOption(
      new Option('--stage <stage>', 'the stage to run').choices(stageNames).default('staging'),
    )
    .option('--api-key <key>', 'accept this key, such as one of an earlier start')
    .option('--data <dir>', 'keep tables in a directory (default: in memory, lost on exit)')
    .addOption(
      new Option(
        '--dynamodb <url>',
        "keep tables in a running engine, such as Amazon's DynamoDB Local",
      ).conflicts('data'),
    )
    .option('--json-logs', 'log JSON as in CloudWatch, instead of a readable line per request')
    .option('--watch', 'serve changes in functions/ as they are saved')
    .option(
      '--inspect',
      'let debuggers attach to the authorizer, list and update, at ports 9229 to 9231',
    )
    .action(async (options: StartOptions) => {
      // Imported here, because no other command needs the modules that run the service.
      const { runService } = await import('./run-service.ts');
      await runService(terminal, options);
    });
