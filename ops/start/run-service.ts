import { copyAssembly } from '../../infra/assembly/kept-assembly.ts';
import { rebundledAssembly } from '../../infra/assembly/rebundled-assembly.ts';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { synthesize } from '../../infra/assembly/synthesize.ts';
import { startService } from '../../local/service.ts';
import { prepareDataDirectory } from '../../local/tables/data-directory.ts';
import { localCredentials } from '../../local/tables/tables.ts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { type Terminal, tell, write } from '../cli/terminal.ts';
import { loadSample } from '../inventory/load-sample.ts';
import { issuedKeys } from '../keys/issued-keys.ts';
import { writeRunFile } from '../stage/run-file.ts';
import { banner } from './banner.ts';
import { givenKey, issueOrReuse } from './given-key.ts';
import { serveChanges } from './serve-changes.ts';
import { readSources } from './watched-sources.ts';

export interface StartOptions {
  port: number;
  stage: string;
  app?: string;
  data?: string;
  dynamodb?: string;
  apiKey?: string;
  logFormat: 'text' | 'json';
  /** Whether to serve changes of the sources as they are saved. */
  watch?: boolean;
  /** The port of the first function's inspector. */
  inspect?: number;
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the service, prints how to reach it, and lets other commands find it. */
export const runService = async (terminal: Terminal, options: StartOptions): Promise<Service> => {
  const { apiKey, stage: stageName, watch } = options;
  const given = apiKey === undefined ? undefined : givenKey(apiKey, stageName);
  await checkDirectories(options);
  // Read before the synthesis, so that no change during it is missed.
  const sources = watch ? readSources() : undefined;
  const service = await serve(terminal, options);
  try {
    await prepare(terminal, options, service, given);
    if (sources === undefined) {
      return service;
    }
    const { assembly, reload } = service;
    const watching = await serveChanges({ terminal, stageName, assembly, sources, reload });
    const close = (): Promise<void> => {
      watching.close();
      return service.close();
    };
    return { ...service, close };
  } catch (error) {
    await service.close();
    throw error;
  }
};

/** Throws before anything else is done if a directory cannot be used. */
const checkDirectories = async ({ app, data, stage }: StartOptions): Promise<void> => {
  if (app !== undefined) {
    stageStack(app, stage);
  }
  if (data !== undefined) {
    await prepareDataDirectory(data);
  }
};

const serve = async (terminal: Terminal, options: StartOptions): Promise<Service> => {
  const { stage: stageName, port, data, dynamodb, logFormat, inspect } = options;
  try {
    return await startService({
      stageName,
      port,
      assembly: () => assemblyFor(terminal, options),
      dataDirectory: data,
      endpoint: dynamodb,
      jsonLogs: logFormat === 'json',
      inspectPort: inspect,
    });
  } catch (error) {
    const { code, port: taken } = error as NodeJS.ErrnoException & { port?: number };
    if (code !== 'EADDRINUSE') {
      throw error;
    }
    const option = taken === port ? '--port' : '--inspect';
    const hint = `Use any free port: ${npxPetstore} start ${option} 0`;
    throw new CliError('unavailable', `Port ${taken} is in use.`, { hint });
  }
};

const assemblyFor = async (
  terminal: Terminal,
  { app, stage, inspect }: StartOptions,
): Promise<string> => {
  if (app !== undefined) {
    return copyAssembly(app);
  }
  const assembly = await synthesized(terminal, stage);
  return inspect === undefined ? assembly : rebundledAssembly({ assembly, forDebuggers: true });
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
  const { baseUrl, restApiId, account, inspectors } = service;
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
  write(
    terminal,
    banner({ stageName, tablesAt, baseUrl, apiKey, isGivenKey, dynamodb, inspectors }),
  );
};

const whereTablesAre = ({ data, dynamodb }: StartOptions): string => {
  if (dynamodb !== undefined) {
    return `at ${dynamodb}`;
  }
  return data === undefined ? 'in memory' : `in ${data}`;
};
