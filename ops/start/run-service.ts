import { once } from 'node:events';
import { synthesize } from '../../local/assembly/synthesize.ts';
import { startService } from '../../local/service.ts';
import { CliError } from '../cli/errors.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { loadSample } from '../inventory/load-sample.ts';
import { banner } from './banner.ts';
import { interruption } from './interruption.ts';
import { watchFunctions } from './watch-functions.ts';

export interface StartOptions {
  port: number;
  stage: string;
  watch?: boolean;
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
  { port, stage: stageName, watch }: StartOptions,
  interrupted: AbortSignal,
): Promise<void> => {
  await using service = await startService({
    stageName,
    port,
    assembly: async () => {
      tell(terminal, 'Synthesizing the stack; this takes a few seconds…');
      const assembly = await synthesize(stageName);
      // Nothing more is started for somebody who has left.
      interrupted.throwIfAborted();
      return assembly;
    },
    jsonLogs: terminal.env.PETSTORE_LOG === 'json',
  });
  const { client, baseUrl, apiKey, dynamodb, assembly, renew } = service;
  await loadSample({ client, TableName: dynamodb.inventory });
  // Only now: a list would lack the sample.
  service.serve();
  terminal.stdout.write(banner(baseUrl, apiKey));
  await using _watched = watch ? await watchFunctions({ assembly, stageName, renew }) : null;
  if (!interrupted.aborted) {
    await once(interrupted, 'abort');
  }
};

/** Returns an error that keeps the service from starting as one sentence, unless it is a bug. */
const toCliError = (error: unknown, { port }: StartOptions): unknown =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? new CliError(`Port ${port} is in use. Choose another: npm start PORT`, { cause: error })
    : error;
