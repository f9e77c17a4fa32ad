import { once } from 'node:events';
import { Option } from 'commander';
import { invalidValue, parsePath, parsePort } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import { pages } from '../cli/pages.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import type { Terminal } from '../cli/terminal.ts';
import { stageNames } from '../stage/stage.ts';
import type { StartOptions } from './run-service.ts';

export const startCommand = (terminal: Terminal): PetstoreCommand =>
  new PetstoreCommand('start')
    .description('run the service on this machine, from its synthesized template')
    .examples('start', 'start --stage prod --port 0 --data ./tables')
    .page(pages.localRun)
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 3000)
    .addOption(
      new Option('--stage <stage>', 'the stage to run').choices(stageNames).default('staging'),
    )
    .option('--api-key <key>', 'accept this key of the stage (default: issues a new one)')
    .option(
      '--app <dir>',
      'run the cloud assembly in a directory, such as cdk.out (default: synthesizes one)',
      parsePath,
    )
    .option(
      '--data <dir>',
      'keep tables in a directory (default: in memory, lost on exit)',
      parsePath,
    )
    .addOption(
      new Option(
        '--dynamodb <url>',
        "keep tables in a running engine, such as Amazon's DynamoDB Local",
      )
        .argParser(parseEndpoint)
        .conflicts('data'),
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'log one readable line per request, or JSON as in CloudWatch',
      )
        .choices(['text', 'json'])
        .default('text'),
    )
    .addOption(
      new Option('--watch', 'serve changes in functions/ and infra/ as they are saved').conflicts(
        'app',
      ),
    )
    .addOption(
      new Option(
        '--inspect [port]',
        'let debuggers attach to the functions, the first at this port; 0 picks free ones',
      )
        .argParser(parsePort)
        .preset('9229')
        .conflicts(['app', 'watch']),
    )
    .action((options: StartOptions) => runUntilStopped(terminal, options));

const parseEndpoint = (text: string): string =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '')
    ? text
    : invalidValue('It must be an http or https URL.');

const runUntilStopped = async (terminal: Terminal, options: StartOptions): Promise<void> => {
  // The service also stops when the reader of its output leaves, because nobody would see what it
  // serves.
  const stopped = Promise.race([
    once(terminal.signal, 'abort'),
    once(terminal.stdout, 'error'),
  ]).then(() => undefined);
  // Imported here, because no other command needs the modules that run the service.
  const running = import('./run-service.ts').then(({ runService }) =>
    runService(terminal, options),
  );
  const service = await Promise.race([running, stopped]);
  await stopped;
  if (!service) {
    throw new CliError('interrupted', 'Interrupted.');
  }
  await service.close();
};
