import { once } from 'node:events';
import { synthesize } from '../../local/assembly/synthesize.ts';
import { startService } from '../../local/service.ts';
import { LocalRunError } from '../../local/shared/local-run-error.ts';
import { checkEngine } from '../../local/tables/check-engine.ts';
import { CliError } from '../cli/errors.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { loadSample } from '../inventory/load-sample.ts';
import { allKeys } from '../keys/api-keys.ts';
import { banner } from './banner.ts';
import { bundleAgain } from './bundle-again.ts';
import { interruption } from './interruption.ts';
import { runKey } from './run-key.ts';
import { watchSources } from './watch-sources.ts';

export interface StartOptions {
  port: number;
  stage: string;
  /** A key of the stage. */
  apiKey?: string;
  /** A directory for the tables. */
  data?: string;
  /** URL of another engine for the tables. */
  dynamodb?: string;
  jsonLogs?: boolean;
  watch?: boolean;
  /** The port of the first function's inspector; 0 picks free ones. */
  inspect?: number;
}

/** Starts the service, prints how to reach it, and serves until the process is interrupted. */
export const runService = async (terminal: Terminal, options: StartOptions): Promise<void> => {
  const interrupted = interruption(terminal);
  try {
    await serve(terminal, options, interrupted);
  } catch (error) {
    if (!interrupted.aborted) {
      throw toCliError(error, options);
    }
  }
  if (interrupted.reason instanceof CliError) {
    throw interrupted.reason;
  }
};

const serve = async (
  terminal: Terminal,
  options: StartOptions,
  interrupted: AbortSignal,
): Promise<void> => {
  const { stage: stageName, apiKey: givenKey, dynamodb, inspect, watch } = options;
  // Before the synthesis, so that no change during it is missed.
  const serveChanges = watch ? watchSources(terminal) : undefined;
  if (dynamodb !== undefined) {
    await tryEngine(terminal, dynamodb);
  }
  await using service = await startService({
    stageName,
    port: options.port,
    assembly: () => synthesized(terminal, options, interrupted),
    dataDirectory: options.data,
    endpoint: dynamodb,
    jsonLogs: options.jsonLogs ?? false,
    inspectPort: inspect,
  });
  const { client, baseUrl, dynamodb: tables, inspectPorts, assembly } = service;
  const keys = { client, TableName: tables.apiKeys };
  // Without a key, no start has got this far, so load the sample. An inventory that is emptied
  // later stays empty.
  if ((await allKeys(keys)).length === 0) {
    await loadSample({ client, TableName: tables.inventory });
  }
  const apiKey = await runKey(keys, stageName, givenKey);
  // Only now: a given key would be denied until the table holds it, and a list would lack the sample.
  service.serve();
  if (inspect !== undefined) {
    await service.warmUp();
  }
  const isGivenKey = givenKey !== undefined;
  terminal.stdout.write(
    banner({ stageName, baseUrl, apiKey, isGivenKey, inspectPorts, env: terminal.env }),
  );
  serveChanges?.({ assembly, stageName, renew: service.renew });
  await untilAborted(interrupted);
};

/** Tries an engine before the run begins, and warns of one that would apply a retry twice. */
const tryEngine = async (terminal: Terminal, endpoint: string): Promise<void> => {
  const { keepsTokens } = await checkEngine(endpoint);
  if (!keepsTokens) {
    tell(
      terminal,
      `${endpoint} ignores transaction tokens: a retried update may be applied twice, even with ` +
        'an Idempotency-Key.',
    );
  }
};

/** Returns the directory of the stage's cloud assembly, with bundles that suit the options. */
const synthesized = async (
  terminal: Terminal,
  { stage: stageName, inspect }: StartOptions,
  interrupted: AbortSignal,
): Promise<string> => {
  tell(terminal, 'Synthesizing the stack; this takes a few seconds…');
  const assembly = await synthesize(stageName);
  if (inspect !== undefined) {
    bundleAgain({ assembly, stageName, forDebuggers: true });
  }
  // Nothing more is started for somebody who has left.
  interrupted.throwIfAborted();
  return assembly;
};

const untilAborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
};

/** Returns an error that keeps the service from starting as one sentence, unless it is a bug. */
const toCliError = (error: unknown, { port }: StartOptions): unknown => {
  if (error instanceof LocalRunError) {
    return new CliError(error.message, { cause: error });
  }
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    const message = `Port ${port} is in use. Choose another with --port; 0 picks a free one.`;
    return new CliError(message, { cause: error });
  }
  return error;
};
