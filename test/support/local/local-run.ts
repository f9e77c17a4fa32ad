import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, expect } from '@jest/globals';
import { serviceAt } from '../../../ops/acceptance/suite/http-client.ts';
import { dynamodbLocal, startEngine } from '../dynamodb/engine.ts';
import { atEnd } from '../process/at-end.ts';
import { project } from '../process/tools.ts';
import { sharedAssembly } from '../stack/shared-assembly.ts';

/**
 * The TMPDIR of the programs that one test file starts, so that other programs do not find their
 * local runs.
 */
export const temporaryDirectory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
atEnd(() => rmSync(temporaryDirectory, { recursive: true, force: true }));

/** Interrupts a process and waits until it has ended. */
const interrupt = async (child: ChildProcess) => {
  child.kill('SIGINT');
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit');
  }
};

const endWithParent = join(import.meta.dirname, '../process/end-with-parent.cjs');

/**
 * Runs a program of the project in a process of its own, which ends when this one does, however it
 * ends.
 */
export const spawnProgram = (
  program: string,
  options: string[],
  env: NodeJS.ProcessEnv,
  directory = project,
): ChildProcess => {
  const args = ['--require', endWithParent, join(directory, program), ...options];
  const child = spawn(process.execPath, args, {
    env: { ...env, TMPDIR: temporaryDirectory },
  });
  // A process that a failed test leaves behind would keep Jest from ending.
  atEnd(() => interrupt(child));
  return child;
};

/** Runs `petstore start` of this checkout, or of a copy in a directory. */
export const spawnStart = (
  options: string[],
  env: NodeJS.ProcessEnv = {},
  directory = project,
): ChildProcess =>
  spawnProgram('ops/main.ts', ['start', ...options], { ...process.env, ...env }, directory);

export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Returns a client of the engine that a run uses. */
export const engineClient = (endpoint: string) =>
  new DynamoDB({ endpoint, region: 'us-east-1', credentials });

const runs: { log(): string; apiKey: string }[] = [];

// Whatever the tests have sent, no log may contain a key, its hash or the header that held it.
afterAll(() => {
  for (const { log, apiKey } of runs) {
    expect(log()).not.toMatch(/petstore_(staging|prod)_|bearer |"authorization"/i);
    expect(log()).not.toContain(apiKey.slice(-48, -8));
    expect(log()).not.toContain(createHash('sha256').update(apiKey).digest('hex'));
  }
});

/** A running `petstore start`. */
export type LocalRun = Awaited<ReturnType<typeof startRun>>;

/** Starts the service on a free port and waits until it has printed how to reach it. */
export const localRun = async (...options: string[]): Promise<LocalRun> =>
  startRun(['--app', await sharedAssembly(), ...options]);

/** A key that is given is not printed. */
const givenKey = (options: string[]): string | undefined =>
  options.includes('--api-key') ? options[options.indexOf('--api-key') + 1] : undefined;

/**
 * Starts the service like `localRun`, with more variables; without --app, the service synthesizes
 * its own assembly.
 */
export const startRun = async (
  options: string[],
  env: NodeJS.ProcessEnv = {},
  directory = project,
) => {
  const isGiven = (pattern: RegExp) => options.some((option) => pattern.test(option));
  const engine =
    dynamodbLocal === undefined || isGiven(/^--(dynamodb|data)$/) ? undefined : await startEngine();
  const engineOptions = engine ? ['--dynamodb', engine.endpoint] : [];
  const logFormat = isGiven(/^--log-format$/) ? [] : ['--log-format', 'json'];
  const words = ['--port', '0', ...logFormat, ...engineOptions, ...options];
  const child = spawnStart(words, env, directory);
  let output = '';
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += chunk));
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`petstore start ended.\n${output}${errors}`)));
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (/^curl .*\n/m.test(output)) {
        resolve();
      }
    });
  });
  const printed =
    /^Base URL: (\S+)\nAPI key: (.+)\nDynamoDB: (\S+) \(tables (\S+), (\S+)\)$/m.exec(output) ?? [];
  const [, baseUrl = '', newKey = '', endpoint = '', inventory = '', apiKeys = ''] = printed;
  const apiKey = givenKey(options) ?? newKey;
  const client = engineClient(endpoint);
  const started = output.length;
  const run = {
    process: child,
    /** What the process printed while it started. */
    output,
    /** Returns all that the process, with its functions and its gateway, has printed since. */
    log: () => output.slice(started) + errors,
    ...serviceAt(baseUrl, apiKey),
    tables: { endpoint, client, inventory, apiKeys },
    stop: async () => {
      client.destroy();
      await interrupt(child);
      engine?.stop();
    },
  };
  runs.push(run);
  return run;
};
