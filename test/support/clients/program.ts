import { spawn } from 'node:child_process';
import { expect } from '@jest/globals';
import { ended, project, runProgram } from '../process/tools.ts';

/** A client of the service. It reads the base URL and the API key from its environment. */
export type Program = [command: string, ...args: string[]];

export interface Target {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** Other variables of its environment. */
  env?: NodeJS.ProcessEnv;
}

/** Runs a client with these arguments, such as PET_ID and QUANTITY. */
export const runClient = async (
  [command, ...args]: Program,
  { baseUrl, apiKey, env = {} }: Target,
  ...given: string[]
) => {
  // Users start the programs without the options of the tests, some of which Node 18 rejects.
  const settings = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey, NODE_OPTIONS: '' };
  const end = await runProgram(command, [...args, ...given], { ...settings, ...env });
  // No output may contain the key, not even the output of a failure.
  if (apiKey) {
    expect(end.output + end.errors).not.toContain(apiKey.trim());
  }
  return end;
};

/** Runs a client, and interrupts it as Ctrl-C does once it is told to. */
export const interruptClient = async (
  [command, ...args]: Program,
  { baseUrl, apiKey }: Target,
  { given, when }: { given: string[]; when: () => Promise<unknown> },
) => {
  const settings = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey, NODE_OPTIONS: '' };
  // A group of its own, as on a terminal: Ctrl-C reaches what the client has started, too.
  const child = spawn(command, [...args, ...given], {
    cwd: project,
    env: { ...process.env, ...settings },
    detached: true,
  });
  const end = ended(child);
  await when();
  process.kill(-(child.pid as number), 'SIGINT');
  return end;
};
