import { once } from 'node:events';
import { Option } from 'commander';
import { copyAssembly } from '../infra/assembly/kept-assembly.ts';
import { synthesize } from '../infra/assembly/synthesize.ts';
import { invalidValue, parsePath, parsePort } from './cli/arguments.ts';
import { CliError } from './cli/cli-error.ts';
import { npxPetstore } from './cli/command-line.ts';
import { PetstoreCommand } from './cli/petstore-command.ts';
import { type Terminal, tell } from './cli/terminal.ts';
import { loadSample } from './inventory/load-sample.ts';
import { issueApiKey, issuedKeys } from './keys/issued-keys.ts';
import { writeRunFile } from './stage/run-file.ts';
import { stageNames } from './stage/stage.ts';

interface StartOptions {
  port: number;
  stage: string;
  app?: string;
  data?: string;
  dynamodb?: string;
  logFormat: 'text' | 'json';
}

const parseEndpoint = (text: string): string =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '')
    ? text
    : invalidValue('It must be an http or https URL.');

export const startCommand = (terminal: Terminal): PetstoreCommand => {
  const dynamodb = new Option(
    '--dynamodb <url>',
    "keep tables in a running engine, such as Amazon's DynamoDB Local",
  );
  const logFormat = new Option(
    '--log-format <format>',
    'log one readable line per request, or JSON as in CloudWatch',
  );
  return new PetstoreCommand('start')
    .examples('start', 'start --stage prod --port 0 --data ./tables')
    .description('run the service on this machine, from its synthesized template')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 3000)
    .addOption(
      new Option('--stage <stage>', 'the stage to run').choices(stageNames).default('staging'),
    )
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
    .addOption(dynamodb.argParser(parseEndpoint).conflicts('data'))
    .addOption(logFormat.choices(['text', 'json']).default('text'))
    .addOption(new Option('--json', 'the same as --log-format json').implies({ logFormat: 'json' }))
    .action(async (options: StartOptions) => {
      // The service also stops when the reader of its output leaves, because nobody would see what
      // it serves.
      const stopped = Promise.race([
        once(terminal.signal, 'abort'),
        once(terminal.stdout, 'error'),
      ]).then(() => {});
      const service = await Promise.race([start(terminal, options), stopped]);
      await stopped;
      if (!service) {
        throw new CliError('interrupted', 'Interrupted.');
      }
      await service.close();
    });
};

/**
 * Starts the service. The modules that run it are imported here, because no other command needs
 * them.
 */
const start = async (terminal: Terminal, options: StartOptions) => {
  const { stage: stageName, port, app, data, dynamodb, logFormat } = options;
  if (app !== undefined) {
    const { stageStack } = await import('../infra/assembly/stage-stack.ts');
    // Throws if the directory holds no such stage.
    stageStack(app, stageName);
  }
  if (data !== undefined) {
    const { takeDataDirectory } = await import('../local/tables/data-directory.ts');
    await takeDataDirectory(data).catch((cause: Error) => {
      throw new CliError('invalid', `--data ${data} cannot be used: ${cause.message}`, { cause });
    });
  }

  const { startService } = await import('../local/service.ts');
  const { localCredentials } = await import('../local/tables/tables.ts');
  const service = await startService({
    stageName,
    port,
    assembly: () => (app === undefined ? synthesized(terminal, stageName) : copyAssembly(app)),
    dataDirectory: data,
    endpoint: dynamodb,
    jsonLogs: logFormat === 'json',
  }).catch((error: NodeJS.ErrnoException) => {
    const hint = `Use any free port: ${npxPetstore} start --port 0`;
    throw error.code === 'EADDRINUSE'
      ? new CliError('unavailable', `Port ${port} is in use.`, { hint })
      : error;
  });
  const { baseUrl, restApiId, account } = service;
  const { client, endpoint, inventory, apiKeys } = service.tables;
  const keysTable = { client, TableName: apiKeys };

  // Without a key, no start has got this far, so load the sample. An inventory that is emptied
  // later stays empty.
  if ((await issuedKeys(keysTable)).length === 0) {
    await loadSample({ client, TableName: inventory });
  }
  const { apiKey } = await issueApiKey(keysTable, stageName, { name: 'petstore start' });
  const tables = { dynamodb: { endpoint, inventory, apiKeys }, credentials: localCredentials };
  writeRunFile(
    { pid: process.pid, ...account, ...tables, stageName, baseUrl, restApiId },
    terminal.env,
  );

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

/**
 * Synthesizes the stage, with a notice only if that takes time: an assembly of unchanged sources is
 * reused.
 */
const synthesized = (terminal: Terminal, stageName: string): Promise<string> => {
  const notice = setTimeout(
    () => tell(terminal, 'Synthesizing the stack, which takes a few seconds…'),
    300,
  );
  return synthesize(stageName).finally(() => clearTimeout(notice));
};
