import { once } from 'node:events';
import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { synthesize } from '../../infra/assembly/synthesize.ts';
import { startService } from '../../local/service.ts';
import { CliError } from '../cli/errors.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { loadSample } from '../inventory/load-sample.ts';
import { allKeys, issueApiKey, storedKey } from '../keys/api-keys.ts';
import type { Table } from '../stage/stage.ts';
import { bundleAgain, watchFunctions } from './watch-functions.ts';

export interface StartOptions {
  port: number;
  stage: string;
  apiKey?: string;
  data?: string;
  dynamodb?: string;
  jsonLogs?: boolean;
  watch?: boolean;
  inspect?: boolean;
}

/** Starts the service, prints how to reach it, and serves until the process is interrupted. */
export const runService = async (terminal: Terminal, options: StartOptions): Promise<void> => {
  const { port, stage: stageName, apiKey, data, dynamodb, inspect, jsonLogs = false } = options;
  if (apiKey !== undefined && !isWellFormedApiKey(apiKey, stageName)) {
    throw new CliError(`--api-key holds no key of ${stageName}.`);
  }
  const interrupted = interruption();
  let assembly = '';
  const service = await startService({
    stageName,
    port,
    assembly: async () => {
      tell(terminal, 'Synthesizing the stack, which takes a few seconds…');
      assembly = await synthesize(stageName);
      if (inspect) {
        bundleAgain({ assembly, stageName, forDebuggers: true });
      }
      return assembly;
    },
    dataDirectory: data,
    endpoint: dynamodb,
    jsonLogs,
    inspectPort: inspect ? 9229 : undefined,
  });
  try {
    const { client, baseUrl, dynamodb: tables } = service;
    const keys = { client, TableName: tables.apiKeys };
    // Without a key, no start has got this far, so load the sample. An inventory that is emptied
    // later stays empty.
    if ((await allKeys(keys)).length === 0) {
      await loadSample({ client, TableName: tables.inventory });
    }
    const usable = await issueUnlessStored(keys, stageName, apiKey);
    if (inspect) {
      await service.warmUp();
    }
    terminal.stdout.write(banner(stageName, baseUrl, usable));
    if (options.watch) {
      watchFunctions(terminal, { assembly, stageName, renew: service.renew });
    }
    await interrupted;
  } finally {
    await service.close();
  }
};

const issueUnlessStored = async (
  keys: Table,
  stageName: string,
  apiKey?: string,
): Promise<string> => {
  if (apiKey !== undefined && (await storedKey(keys, apiKey))) {
    return apiKey;
  }
  return (await issueApiKey(keys, { stageName, name: 'petstore start', apiKey })).apiKey;
};

/** Resolves after Ctrl-C, or when a terminal or a supervisor ends the process. */
const interruption = (): Promise<unknown> =>
  Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name)));

const banner = (stageName: string, baseUrl: string, apiKey: string): string => `\
Petstore inventory, stage ${stageName}. Ctrl-C stops it.

Base URL: ${baseUrl}
API key: ${apiKey}
API reference: ${new URL(baseUrl).origin}/#key=${apiKey}

For the programs in examples/:
export PETSTORE_BASE_URL=${baseUrl} PETSTORE_API_KEY=${apiKey}

Try it:
curl -H "Authorization: Bearer ${apiKey}" ${baseUrl}/inventory

`;
