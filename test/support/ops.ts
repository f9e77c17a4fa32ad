import type { ChildProcess } from 'node:child_process';
import { ended, spawnProgram, temporaryDirectory } from './local-run.ts';

/** What an operator has in the environment: no AWS settings, unless given. */
const bare = { PATH: process.env.PATH, HOME: temporaryDirectory, AWS_EC2_METADATA_DISABLED: 'true' };

export interface OpsOptions {
  env?: NodeJS.ProcessEnv;
  /** Standard input; null leaves it open. */
  input?: string | null;
}

/** Starts `npm run ops -- …`. */
export const spawnOps = (options: string[], { env = {}, input = '' }: OpsOptions = {}): ChildProcess => {
  const child = spawnProgram('ops/ops.ts', options, { ...bare, ...env });
  child.stdin?.on('error', () => {});
  if (input !== null) {
    child.stdin?.end(input);
  }
  return child;
};

/** Runs `npm run ops -- …` to its end. */
export const ops = (options: string[], settings?: OpsOptions) => ended(spawnOps(options, settings));

/** Runs it on the one local run of the test file; it must succeed. Returns what it answers in JSON. */
export const opsJson = async (...options: string[]): Promise<unknown> => {
  const { code, output, errors } = await ops([...options, '--local', '--json']);
  if (code !== 0) {
    throw new Error(`ops ${options.join(' ')} ended with ${code}.\n${errors}`);
  }
  return JSON.parse(output, exactIntegers);
};

const exactIntegers = (_key: string, value: unknown, { source = '' }: { source?: string }) =>
  /^-?\d{16,}$/.test(source) ? BigInt(source) : value;
