import { type Command, InvalidArgumentError, Option } from 'commander';
import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { functionSpecs } from '../../infra/service/operations.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { parsePort } from '../cli/arguments.ts';
import { requireOutput } from '../cli/output.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { StartOptions } from './run-service.ts';

export const addStartCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('start')
    .description('run the service on this machine, as it would be deployed')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 3000)
    .addOption(
      new Option('--stage <stage>', 'the stage to run').choices(stageNames).default('staging'),
    )
    .option('--api-key <key>', 'accept this key, such as one from an earlier start')
    .option(
      '--data <dir>',
      'keep tables in a directory (default: in memory, lost on exit)',
      parseDirectory,
    )
    .addOption(
      new Option('--dynamodb <url>', 'keep tables in a running engine, such as dynoxide')
        .argParser(parseEngine)
        .conflicts('data'),
    )
    .option('--json-logs', 'log JSON as in CloudWatch, instead of a readable line per request')
    .option('--watch', 'serve changes in functions/ as you save them')
    .addOption(
      new Option(
        '--inspect [port]',
        'let debuggers attach to the functions, on this port and the next ones; 0 picks free ones',
      )
        .argParser(parseInspectPort)
        .preset('9229')
        .conflicts('watch'),
    )
    .action(async (options: StartOptions, command: Command) => {
      const { apiKey, stage } = options;
      if (apiKey !== undefined && !isWellFormedApiKey(apiKey, stage)) {
        // Commander's own message would quote it, and it may be another secret.
        command.error(`error: --api-key isn't a ${stage} key.`, { exitCode: 2 });
      }
      if (apiKey === undefined) {
        // The new key would be printed nowhere.
        requireOutput(terminal);
      }
      // Imported here, because no other command needs the modules that run the service.
      const { runService } = await import('./run-service.ts');
      await runService(terminal, options);
    });

const parseDirectory = (text: string): string => {
  if (text === '') {
    throw new InvalidArgumentError('It must be a directory.');
  }
  return text;
};

const parseEngine = (text: string): string => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new InvalidArgumentError('It must be a URL, such as http://localhost:8000.');
  }
  return text;
};

/** The last port from which enough others follow. */
const lastInspectPort = 65_536 - functionSpecs.length;

const parseInspectPort = (text: string): number => {
  const port = parsePort(text);
  if (port > lastInspectPort) {
    throw new InvalidArgumentError(`It can be at most ${lastInspectPort}.`);
  }
  return port;
};
