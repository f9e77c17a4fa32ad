import { copyAssembly } from '../../infra/assembly/kept-assembly.ts';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { synthesize } from '../../infra/assembly/synthesize.ts';
import { startService } from '../../local/service.ts';
import { takeDataDirectory } from '../../local/tables/data-directory.ts';
import { localCredentials } from '../../local/tables/tables.ts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { type Terminal, tell, write } from '../cli/terminal.ts';
import { loadSample } from '../inventory/load-sample.ts';
import { issuedKeys } from '../keys/issued-keys.ts';
import { writeRunFile } from '../stage/run-file.ts';
import { banner } from './banner.ts';
import { givenKey, issueOrReuse } from './given-key.ts';

export interface StartOptions {
  port: number;
  stage: string;
  app?: string;
  data?: string;
  dynamodb?: string;
  apiKey?: string;
  logFormat: 'text' | 'json';
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the service, prints how to reach it, and lets other commands find it. */
export const runService = async (terminal: Terminal, options: StartOptions): Promise<Service> => {
  const { apiKey, stage } = options;
  const given = apiKey === undefined ? undefined : givenKey(apiKey, stage);
  await checkDirectories(options);
  const service = await serve(terminal, options);
  try {
    await prepare(terminal, options, service, given);
  } catch (error) {
    await service.close();
    throw error;
  }
  return service;
};

/** Throws before anything else is done if a directory cannot be used. */
const checkDirectories = async ({ app, data, stage }: StartOptions): Promise<void> => {
  if (app !== undefined) {
    stageStack(app, stage);
  }
  if (data !== undefined) {
    await takeDataDirectory(data).catch((cause: Error) => {
      throw new CliError('invalid', `--data ${data} cannot be used: ${cause.message}`, { cause });
    });
  }
};

const serve = async (terminal: Terminal, options: StartOptions): Promise<Service> => {
  const { stage: stageName, port, app, data, dynamodb, logFormat } = options;
  try {
    return await startService({
      stageName,
      port,
      assembly: () => (app === undefined ? synthesized(terminal, stageName) : copyAssembly(app)),
      dataDirectory: data,
      endpoint: dynamodb,
      jsonLogs: logFormat === 'json',
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
      throw error;
    }
    const hint = `Use any free port: ${npxPetstore} start --port 0`;
    throw new CliError('unavailable', `Port ${port} is in use.`, { hint });
  }
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

const prepare = async (
  terminal: Terminal,
  options: StartOptions,
  service: Service,
  given: string | undefined,
): Promise<void> => {
  const { stage: stageName } = options;
  const { baseUrl, restApiId, account } = service;
  const { client, endpoint, inventory, apiKeys } = service.tables;
  const keysTable = { client, TableName: apiKeys };

  // Without a key, no start has got this far, so load the sample. An inventory that is emptied
  // later stays empty.
  if ((await issuedKeys(keysTable)).length === 0) {
    await loadSample({ client, TableName: inventory });
  }
  const apiKey = await issueOrReuse(keysTable, stageName, given);

  const dynamodb = { endpoint, inventory, apiKeys };
  const run = { pid: process.pid, ...account, stageName, baseUrl, restApiId };
  writeRunFile({ ...run, dynamodb, credentials: localCredentials }, terminal.env);
  const isGivenKey = given !== undefined;
  const tablesAt = whereTablesAre(options);
  write(terminal, banner({ stageName, tablesAt, baseUrl, apiKey, isGivenKey, dynamodb }));
};

const whereTablesAre = ({ data, dynamodb }: StartOptions): string => {
  if (dynamodb !== undefined) {
    return `at ${dynamodb}`;
  }
  return data === undefined ? 'in memory' : `in ${data}`;
};
