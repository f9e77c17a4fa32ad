import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../../ops/program.ts';

export interface PetstoreOptions {
  env?: Record<string, string>;
  /** What is piped to standard input. */
  input?: string;
  /** Returns what is typed on a terminal, once a question is asked; it may change something before. */
  typed?: () => Promise<string>;
  /** Whether standard output is a terminal, not a file or a pipe. */
  isTTY?: boolean;
  /** How every write to standard output fails: on a full disk, or after its reader has left. */
  fails?: 'ENOSPC' | 'EPIPE';
}

const messages = { ENOSPC: 'ENOSPC: no space left on device', EPIPE: 'write EPIPE' };

const failing = (code: 'ENOSPC' | 'EPIPE') =>
  new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(messages[code]), { code })),
  });

/** Runs some work with the variables that the AWS SDK reads from the process. */
const withEnvironment = async <Result>(env: NodeJS.ProcessEnv, work: () => Promise<Result>) => {
  const outside = process.env;
  process.env = { ...outside, ...env };
  try {
    return await work();
  } finally {
    process.env = outside;
  }
};

/** Runs `petstore …` in this process. Returns all that a person or a program gets to see. */
export const petstore = async (words: string[], options: PetstoreOptions = {}) => {
  const { env = {}, input = '', typed, isTTY = false, fails } = options;
  const stdout = Object.assign(fails ? failing(fails) : new PassThrough(), { isTTY });
  const stderr = new PassThrough();
  const keyboard = new PassThrough();
  const stdin = Object.assign(typed ? keyboard : Readable.from([input]), { isTTY: Boolean(typed) });
  stderr.on('data', async (chunk) => {
    if (typed && /\[y\/N\] $/.test(String(chunk))) {
      const line = await typed();
      // A terminal shows what is typed.
      stderr.write(`${line}\n`);
      keyboard.write(`${line}\r`);
    }
  });
  const printed = Promise.all([stdout instanceof PassThrough ? text(stdout) : '', text(stderr)]);
  const terminal = { stdin, stdout, stderr, env: { ...process.env, ...env } };
  const code = await withEnvironment(env, () => runProgram(words, terminal));
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, output, errors };
};
