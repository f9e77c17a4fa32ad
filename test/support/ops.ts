import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../ops/program.ts';
import { spawnProgram, temporaryDirectory } from './local-run.ts';

/** What an operator has in the environment: no AWS settings, unless given. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const bare = { PATH, NODE_COMPILE_CACHE, HOME: temporaryDirectory, AWS_EC2_METADATA_DISABLED: 'true' };

export interface OpsOptions {
  env?: NodeJS.ProcessEnv;
  /** Standard input; null leaves it open. */
  input?: string | null;
  /** Ctrl-C, where the command runs in this process. */
  signal?: AbortSignal;
  /** Makes both outputs a terminal. */
  onTerminal?: boolean;
  /** Makes standard input a terminal, where this is typed once the prompt is there. */
  typed?: { prompt: RegExp; text: string; before?: () => Promise<unknown> };
}

/** Starts `petstore …` in a process of its own. */
export const spawnOps = (options: string[], { env = {}, input = '' }: OpsOptions = {}): ChildProcess => {
  const child = spawnProgram('ops/petstore.cjs', options, { ...bare, ...env });
  child.stdin?.on('error', () => {});
  if (input !== null) {
    child.stdin?.end(input);
  }
  return child;
};

const outside = process.env;

/** Runs `petstore …` in this process to its end. Not two at once that differ in their AWS settings. */
export const ops = async (
  options: string[],
  { env = {}, input = '', signal = new AbortController().signal, typed, onTerminal = false }: OpsOptions = {},
) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  const stdout = Object.assign(new PassThrough(), { isTTY: onTerminal });
  const stderr = Object.assign(new PassThrough(), { isTTY: onTerminal });
  if (typed) {
    typeAtPrompt(stdin, stderr, typed);
  } else if (input !== null) {
    stdin.end(input);
  }
  const environment: NodeJS.ProcessEnv = { ...bare, TMPDIR: temporaryDirectory, ...env };
  const printed = Promise.all([text(stdout), text(stderr)]);
  // The AWS SDK reads its settings there.
  const settings = Object.entries(environment).filter(([name]) => /^(AWS_|HOME$)/.test(name));
  process.env = { ...outside, ...Object.fromEntries(settings) };
  const code = await runProgram(options, { stdin, stdout, stderr, env: environment, signal });
  process.env = outside;
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, output, errors };
};

const typeAtPrompt = (
  stdin: PassThrough,
  stderr: PassThrough,
  { prompt, text, before }: NonNullable<OpsOptions['typed']>,
) => {
  let printed = '';
  const onData = async (chunk: Buffer) => {
    printed += chunk;
    if (prompt.test(printed)) {
      stderr.off('data', onData);
      await before?.();
      stdin.write(text);
    }
  };
  stderr.on('data', onData);
};

/** Runs it on the one local run of the test file; it must succeed. Returns what it prints in JSON. */
export const opsJson = async (...options: string[]): Promise<unknown> => {
  const { code, output, errors } = await ops([...options, '--local', '--json']);
  if (code !== 0) {
    throw new Error(`petstore ${options.join(' ')} ended with ${code}.\n${errors}`);
  }
  return JSON.parse(output);
};
