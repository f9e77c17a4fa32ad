import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, expect } from '@jest/globals';
import { descriptionPath, type RunDescription } from '../../../local/gateway/operators-api.ts';
import { localCredentials as credentials, region } from '../../../local/shared/account.ts';
import { isDynoxide, startEngine } from '../dynamodb/engine.ts';
import { serviceAt } from '../http/http-client.ts';
import { sendRaw } from '../http/raw-request.ts';
import { atEnd } from '../process/at-end.ts';
import { project } from '../process/tools.ts';
import { until } from '../process/until.ts';

/** The TMPDIR of the programs that one test file starts. */
export const temporaryDirectory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
atEnd(() => rmSync(temporaryDirectory, { recursive: true, force: true }));

interface Place {
  /** The checkout, or a copy of it. */
  directory?: string;
  env?: Record<string, string>;
}

/** Runs `petstore start` on a free port in a process of its own, which ends when this one does. */
export const spawnStart = (
  options: string[] = [],
  { directory = project, env = {} }: Place = {},
): ChildProcess => {
  const program = [join(directory, 'ops/main.ts'), 'start', '0', ...options];
  const child = spawn(process.execPath, program, {
    env: { ...process.env, TMPDIR: temporaryDirectory, ...env },
  });
  // A process that a failed test leaves behind would keep Jest from ending.
  atEnd(() => interrupt(child));
  return child;
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Interrupts a process and waits until it has ended. */
const interrupt = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGINT');
  if (!hasEnded(child)) {
    await once(child, 'exit');
  }
};

/** Returns a client of the engine that a run uses. */
export const engineClient = (endpoint: string): DynamoDB =>
  new DynamoDB({ endpoint, region, credentials });

const runs: { log(): string; apiKey: string }[] = [];

// Whatever the tests have sent, no log may contain a key, its hash or the header that held it.
afterAll(() => {
  for (const { log, apiKey } of runs) {
    expect(log()).not.toMatch(/petstore_[a-z]+_[0-9a-f]|bearer |"authorization"/i);
    expect(log()).not.toContain(apiKey.slice(-48, -8));
    expect(log()).not.toContain(createHash('sha256').update(apiKey).digest('hex'));
  }
});

/** A running `petstore start`. */
export type LocalRun = Awaited<ReturnType<typeof localRun>>;

/** Starts the service on a free port, with JSON logs, and perhaps with another engine for its tables. */
export const localRun = (engine?: string) =>
  startRun([], {
    env: { PETSTORE_LOG: 'json', ...(engine && { PETSTORE_DYNAMODB_URL: engine }) },
  });

/** Starts the service on a free port, and waits until it has printed how to reach it. */
export const startRun = async (options: string[] = [], { env = {}, ...place }: Place = {}) => {
  const engine = isDynoxide ? await startEngine() : undefined;
  atEnd(() => engine?.close());
  const engineSettings: Place['env'] = engine && { PETSTORE_DYNAMODB_URL: engine.endpoint };
  const child = spawnStart(options, { ...place, env: { ...engineSettings, ...env } });
  const printed = { output: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (printed.output += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk) => (printed.errors += chunk));
  await until('the local run', () => /^curl .*\n\n/m.test(printed.output) || hasEnded(child), 300);
  const { output } = printed;
  const [, baseUrl] = /^Base URL: (\S+)$/m.exec(output) ?? [];
  if (baseUrl === undefined) {
    throw new Error(`petstore start ended.\n${output}${printed.errors}`);
  }
  const [, apiKey = ''] = /^API key: (petstore_\w+)$/m.exec(output) ?? [];
  const { text } = await sendRaw(new URL(baseUrl).origin, { path: descriptionPath });
  const { dynamodb }: RunDescription = JSON.parse(text);
  const run = {
    process: child,
    /** What the process printed while it started. */
    output,
    /** Returns all that the process, with its functions and its gateway, has printed since. */
    log: () => printed.output.slice(output.length) + printed.errors,
    // A fast machine exceeds the stage's rates, and waits after a 429 as clients should.
    ...serviceAt(baseUrl, apiKey, { retries: 10 }),
    tables: { ...dynamodb, client: engineClient(dynamodb.endpoint) },
  };
  runs.push(run);
  return run;
};
