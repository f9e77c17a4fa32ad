import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
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
  /** Makes every write to standard output fail, as on a full disk. */
  isFull?: boolean;
  /** Makes standard output and standard error a terminal. */
  onTerminal?: boolean;
  /**
   * Makes standard input a terminal, where `text` is typed after the prompt has appeared and
   * `before` has run.
   */
  typed?: { prompt: RegExp; text: string; before?: () => Promise<unknown> };
  /** Reacts to what is printed on standard error, once. */
  when?: { printed: RegExp; react: () => unknown };
}

export const spawnOps = (
  options: string[],
  { env = {}, input = '' }: OpsOptions = {},
): ChildProcess => {
  const child = spawnProgram('ops/main.ts', options, { ...bare, ...env });
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

/** Runs some work with the environment variables that the AWS SDK reads from process.env. */
const withSettings = async <Result>(
  environment: NodeJS.ProcessEnv,
  work: () => Promise<Result>,
): Promise<Result> => {
  const settings = Object.entries(environment).filter(([name]) => /^(AWS_|HOME$)/.test(name));
  process.env = { ...outside, ...Object.fromEntries(settings) };
  try {
    return await work();
  } finally {
    process.env = outside;
  }
};

/** Returns standard input, and what types on it. */
const inputOf = ({ input = '', typed }: OpsOptions) => {
  const keyboard = new PassThrough();
  const chunks = typeof input === 'string' ? [Buffer.from(input)] : input;
  const stream = typed || !chunks ? keyboard : Readable.from(chunks);
  return { stdin: Object.assign(stream, { isTTY: typed !== undefined }), keyboard };
};

const fullDisk = () =>
  new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left on device')) });

/**
 * Runs `petstore …` in this process. Commands with different AWS settings must not run at the
 * same time.
 */
export const ops = async (options: string[], settings: OpsOptions = {}) => {
  const { env = {}, typed, when, isFull = false, onTerminal: isTTY = false } = settings;
  const { signal = new AbortController().signal } = settings;
  const { stdin, keyboard } = inputOf(settings);
  const stdout = Object.assign(isFull ? fullDisk() : new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  if (typed) {
    prompted(stderr, typed.prompt)
      .then(typed.before)
      .then(() => keyboard.write(typed.text));
  }
  if (when) {
    prompted(stderr, when.printed).then(when.react);
  }
  const printed = Promise.all([stdout instanceof PassThrough ? text(stdout) : '', text(stderr)]);
  const environment: NodeJS.ProcessEnv = { ...bare, TMPDIR: temporaryDirectory, ...env };
  const code = await withSettings(environment, () =>
    runProgram(options, { stdin, stdout, stderr, env: environment, signal }),
  );
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, output, errors };
};
