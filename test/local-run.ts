import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll } from '@jest/globals';
import { type Answer, type Message, send } from './http-client.ts';

/** A running `npm start`. */
export interface LocalRun {
  process: ChildProcess;
  /** All that it has printed to standard output. */
  output: string;
  /** All that its functions have logged so far: its standard error. */
  logs(): string;
  baseUrl: string;
  apiKey: string;
  tables: { client: DynamoDBClient; inventory: string; apiKeys: string };
  /** Sends a request with the run's API key, unless the headers say otherwise. */
  send(message: Message): Promise<Answer>;
  stop(): Promise<void>;
}

const spawned: ChildProcess[] = [];

// A run that a failed test left behind would keep Jest from ending.
afterAll(() => {
  for (const child of spawned) {
    child.kill('SIGINT');
  }
});

export const spawnStart = (...options: string[]): ChildProcess => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../local/start.ts'), ...options]);
  spawned.push(child);
  return child;
};

/** Waits for a process to end. */
export const ended = async (child: ChildProcess): Promise<{ code: number | null; output: string; errors: string }> => {
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  return { code, output, errors };
};

/** Starts the service on a free port and waits until it has said all of how to reach it. */
export const localRun = async (...options: string[]): Promise<LocalRun> => {
  const child = spawnStart('--port', '0', ...options);
  let output = '';
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += chunk));
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`npm start ended.\n${output}${errors}`)));
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (/^curl .*\n/m.test(output)) {
        resolve();
      }
    });
  });
  const printed = (pattern: RegExp) => pattern.exec(output)?.slice(1) ?? [];
  const [baseUrl = ''] = printed(/^Base URL: (\S+)$/m);
  const [apiKey = ''] = printed(/^API key: (\S+)$/m);
  const [endpoint = '', inventory = '', apiKeys = ''] = printed(/^DynamoDB: (\S+) \(tables (\S+), (\S+)\)$/m);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  return {
    process: child,
    output,
    logs: () => errors,
    baseUrl,
    apiKey,
    tables: { client, inventory, apiKeys },
    send: (message) =>
      send(baseUrl, { ...message, headers: { Authorization: `Bearer ${apiKey}`, ...message.headers } }),
    stop: async () => {
      client.destroy();
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) {
        await once(child, 'exit');
      }
    },
  };
};
