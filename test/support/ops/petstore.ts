import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../../ops/program.ts';

export interface PetstoreOptions {
  env?: Record<string, string>;
  /** What is piped to standard input. */
  input?: string;
  /** What is typed on a terminal, once a prompt has appeared; it may change something before. */
  typed?: string | (() => Promise<string>);
  /** Makes every write to standard output fail. */
  isFull?: boolean;
}

const noSpace = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
const full = () => new Writable({ write: (_chunk, _encoding, done) => done(noSpace) });

/** Removes how readline moves the cursor. */
const withoutCursor = (text: string): string =>
  text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*[A-Z]`, 'g'), '');

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
  const { env = {}, input = '', typed, isFull = false } = options;
  const keyboard = new PassThrough();
  const stdin = Object.assign(typed === undefined ? Readable.from([input]) : keyboard, {
    isTTY: typed !== undefined,
  });
  const stdout = isFull ? full() : new PassThrough();
  const stderr = new PassThrough();
  if (typed !== undefined) {
    stderr.on('data', async (chunk) => {
      if (/\[y\/N\] $|\(not shown\): $/.test(withoutCursor(String(chunk)))) {
        keyboard.write(typeof typed === 'string' ? typed : await typed());
      }
    });
  }
  const printed = Promise.all([stdout instanceof PassThrough ? text(stdout) : '', text(stderr)]);
  const terminal = { stdin, stdout, stderr, env: { ...process.env, ...env } };
  const code = await withEnvironment(env, () => runProgram(words, terminal));
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, output, errors: typed === undefined ? errors : withoutCursor(errors) };
};
