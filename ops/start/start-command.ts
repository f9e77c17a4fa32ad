import { type Command, Option } from 'commander';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { parsePort } from '../cli/arguments.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { StartOptions } from './run-service.ts';

export const addStartCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('start')
    .description('run the service on this machine, as it would be deployed')
    .argument('[port]', 'port to listen on; 0 picks a free one', parsePort, 3000)
    .option('--watch', 'serve changes in functions/ as you save them')
    .addOption(
      new Option('--stage <stage>', 'the stage to run').choices(stageNames).default('staging'),
    )
    .action(async (port: number, options: Omit<StartOptions, 'port'>) => {
      // Imported here, because no other command needs the modules that run the service.
      const { runService } = await import('./run-service.ts');
      await runService(terminal, { ...options, port });
    });
