import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { localAccount } from '../infra/assembly/resolved-stack.ts';
import { copyAssembly, synthesize } from '../infra/assembly/synthesize.ts';
import { type Service, startService } from '../local/service.ts';
import { checkDataDirectory } from '../local/tables/dynalite-engine.ts';
import { localCredentials } from '../local/tables/tables.ts';
import { CliError } from './cli/cli-error.ts';
import { type Terminal, tell } from './cli/terminal.ts';
import { issueApiKey } from './keys/issued-keys.ts';
import { loadSample } from './load-sample.ts';
import { writeRunFile } from './stage/run-file.ts';

interface StartOptions {
  port: number;
  stage: string;
  app?: string;
  data?: string;
  dynamodb?: string;
  logFormat: 'text' | 'json';
}

const parsePort = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) {
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  }
  return Number(text);
};

const parseEndpoint = (text: string): string => {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new InvalidArgumentError('It must be the URL of an engine.');
  }
  return text;
};

export const startCommand = (terminal: Terminal): Command =>
  new Command('start')
    .description('run the service on this machine, from its synthesized template')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 3000)
    .addOption(new Option('--stage <stage>', 'which stage').choices(['staging', 'prod']).default('staging'))
    .option('--app <dir>', 'run the cloud assembly in a directory, such as cdk.out (default: synthesizes one)')
    .option('--data <dir>', 'keep the tables in a directory (default: in memory, lost when it stops)')
    .addOption(
      new Option(
        '--dynamodb <url>',
        "use a DynamoDB engine, such as Amazon's DynamoDB Local, instead of the built-in one",
      )
        .argParser(parseEndpoint)
        .conflicts('data'),
    )
    .addOption(
      new Option('--log-format <format>', 'one readable line a request, and failures; or logs as in CloudWatch')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addOption(new Option('--json', 'the same as --log-format json').implies({ logFormat: 'json' }))
    .option('--verbose', 'show where an error comes from')
    .addHelpText(
      'after',
      '\nExamples:\n  npx petstore start\n  npx petstore start --stage prod --port 0 --data ./tables',
    )
    .action(async (options: StartOptions) => {
      const stopped = new Promise<void>((resolve) => terminal.signal.addEventListener('abort', () => resolve()));
      const service = await Promise.race([start(terminal, options), stopped]);
      await stopped;
      // A connection may hold it; a second Ctrl-C ends the process at once.
      await service?.close();
    });

const start = async (terminal: Terminal, options: StartOptions): Promise<Service> => {
  const { stage: stageName, port, app, data, dynamodb, logFormat } = options;
  await checkOptions(options);
  const service = await startService({
    stageName,
    port,
    assembly: () => (app === undefined ? synthesized(terminal, stageName) : copyAssembly(app)),
    dataDirectory: data,
    endpoint: dynamodb,
    jsonLogs: logFormat === 'json',
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new CliError('unavailable', `Port ${port} is in use.`, { hint: 'Choose another: npx petstore start --port 0' })
      : error;
  });
  const { baseUrl, restApiId } = service;
  const { client, created, endpoint, inventory, apiKeys } = service.tables;

  // Before the sample: a new DynamoDB Local may fail if the first conditions that it reads come all at once.
  const { apiKey } = await issueApiKey({ client, TableName: apiKeys }, stageName, { name: 'petstore start' });
  if (created.includes(inventory)) {
    await loadSample({ client, TableName: inventory });
  }
  const description = { ...localAccount, credentials: localCredentials, stageName, baseUrl, restApiId };
  writeRunFile({ pid: process.pid, ...description, dynamodb: { endpoint, inventory, apiKeys } }, terminal.env);

  const kept = dynamodb ? `at ${dynamodb}` : data ? `in ${data}` : 'in memory';
  terminal.stdout.write(`Petstore inventory, stage ${stageName}, tables ${kept}. Ctrl-C stops it.

Base URL: ${baseUrl}
API key: ${apiKey}
DynamoDB: ${endpoint} (tables ${inventory}, ${apiKeys})
API reference: ${new URL(baseUrl).origin}/

Try it:
curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}/inventory

`);
  return service;
};

const checkOptions = async ({ stage, app, data }: StartOptions): Promise<void> => {
  if (app !== undefined && !existsSync(join(app, `assembly-${stage}`, 'manifest.json'))) {
    throw new CliError('invalid', `--app ${app} is no cloud assembly of ${stage}.`, {
      hint: 'Write one: npx cdk synth',
    });
  }
  if (data !== undefined) {
    await checkDataDirectory(data).catch((error: Error) => {
      throw new CliError('invalid', `--data ${data} cannot be used: ${error.message}`, { cause: error });
    });
  }
};

const synthesized = (terminal: Terminal, stageName: string): Promise<string> => {
  tell(terminal, 'Synthesizing the stack, which takes some seconds…');
  return synthesize(stageName);
};
