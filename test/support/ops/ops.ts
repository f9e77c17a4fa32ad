import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../../ops/program.ts';
import { spawnProgram, temporaryDirectory } from '../local/local-run.ts';

/** An operator's environment without AWS settings, which a test may add. */
const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;
const bare = {
  PATH,
  NODE_OPTIONS,
  NODE_COMPILE_CACHE,
  HOME: temporaryDirectory,
  AWS_EC2_METADATA_DISABLED: 'true',
};

export interface OpsOptions {
  env?: NodeJS.ProcessEnv;
  /** Standard input, at once or in chunks; null leaves it open. */
  input?: string | Iterable<Buffer> | null;
  /** Aborts as Ctrl-C does, for a command that runs in this process. */
  signal?: AbortSignal;
  /** Makes standard output and standard error a terminal. */
  onTerminal?: boolean;
  /**
   * Makes standard input a terminal, where `text` is typed after the prompt has appeared and
   * `before` has run.
   */
  typed?: { prompt: RegExp; text: string; before?: () => Promise<unknown> };
}

export const spawnOps = (
  options: string[],
  { env = {}, input = '' }: OpsOptions = {},
): ChildProcess => {
  const child = spawnProgram('ops/petstore.cjs', options, { ...bare, ...env });
  child.stdin?.on('error', () => {});
  if (input !== null) {
    child.stdin?.end(input);
  }
  return child;
};

export const prompted = async (output: Readable, prompt: RegExp): Promise<void> => {
  let shown = '';
  for await (const [chunk] of on(output, 'data')) {
    shown += chunk;
    if (prompt.test(shown)) {
      return;
    }
  }
};

const outside = process.env;

/**
 * Runs `petstore …` in this process. Commands with different AWS settings must not run at the same
 * time.
 */
export const ops = async (
  options: string[],
  {
    env = {},
    input = '',
    signal = new AbortController().signal,
    typed,
    onTerminal = false,
  }: OpsOptions = {},
) => {
  const keyboard = new PassThrough();
  const chunks = typeof input === 'string' ? [Buffer.from(input)] : input;
  const stdin = Object.assign(typed || !chunks ? keyboard : Readable.from(chunks), {
    isTTY: typed !== undefined,
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: onTerminal });
  const stderr = Object.assign(new PassThrough(), { isTTY: onTerminal });
  if (typed) {
    prompted(stderr, typed.prompt)
      .then(typed.before)
      .then(() => keyboard.write(typed.text));
  }
  const environment: NodeJS.ProcessEnv = { ...bare, TMPDIR: temporaryDirectory, ...env };
  const printed = Promise.all([text(stdout), text(stderr)]);
  // The AWS SDK reads its settings from process.env.
  const settings = Object.entries(environment).filter(([name]) => /^(AWS_|HOME$)/.test(name));
  process.env = { ...outside, ...Object.fromEntries(settings) };
  const code = await runProgram(options, { stdin, stdout, stderr, env: environment, signal });
  process.env = outside;
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, output, errors };
};
