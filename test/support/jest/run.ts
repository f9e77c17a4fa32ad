import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../dynamodb/engine.ts';
import { cache } from '../process/tools.ts';

/** The variables that programs need: where others are, how they install more, and over which network. */
const passedOn = [
  /^(CHROMIUM_PATH|HOME|PATH|SHELL|TERM|TMPDIR)$/,
  /^(CARGO|GO|JAVA|MAVEN|npm_config|PIP|RUSTUP)_?/i,
  /^(ALL|HTTPS?|NO)_PROXY$/i,
  /^((CURL|REQUESTS)_CA_BUNDLE|SSL_CERT_(DIR|FILE))$/,
  // Of the tests themselves, and of those that run them.
  /^(TEST|UPDATE|__STRYKER)_/,
];

/**
 * Keeps nothing but what programs need. What else a developer has set, for AWS, a language or Node, and
 * what git sets for a hook or `git rebase --exec`, must not change what tests do, nor may they write to
 * the repository that a hook runs for.
 */
const forgetSettings = (env: NodeJS.ProcessEnv): void => {
  const { NODE_EXTRA_CA_CERTS: certificates = '' } = env;
  for (const name of Object.keys(env)) {
    if (!passedOn.some((pattern) => pattern.test(name))) {
      delete env[name];
    }
  }
  // npm needs them behind a proxy that inspects. Every start of Node warns of a file that is not there.
  if (existsSync(certificates)) {
    env.NODE_EXTRA_CA_CERTS = certificates;
  }
};

/** Makes a directory for all that the tests write. It is removed when this process ends. */
const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // What a process that is just ending writes meanwhile is removed by another try.
  const options = { recursive: true, force: true, maxRetries: 10 };
  process.once('exit', () => rmSync(directory, options));
  return directory;
};

/** Gives tests what Jest sets, and other files for what a developer has configured in his home. */
const configure = (directory: string): void => {
  const gitConfig = join(directory, 'gitconfig');
  // In a container, the user may not own the checkout.
  writeFileSync(gitConfig, '[safe]\n\tdirectory = *\n');
  Object.assign(process.env, {
    NODE_ENV: 'test',
    TEST_RUN_DIRECTORY: directory,
    TMPDIR: directory,
    // Kept, because to compile the programs anew takes seconds. Node checks it against their text.
    NODE_COMPILE_CACHE: join(cache, 'node'),
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    GIT_CONFIG_GLOBAL: gitConfig,
    CDK_APP: 'node node-24.cjs test/support/stack/app.ts',
    // The CDK's own rules are two thirds of a synthesis, and change no file that tests read. `npm run
    // synth` and test/nightly/rules.nightly.ts apply them.
    CDK_VALIDATION: 'false',
  });
};

/** The engine of the run, once it is prepared. */
export let sharedEngine: Engine | undefined;

/** Prepares a test run: a directory and a DynamoDB engine that all its tests share. */
export default async () => {
  forgetSettings(process.env);
  configure(makeDirectory());
  if (process.env.TEST_ENGINE === 'dynoxide') {
    const { dynoxide } = await import('../dynamodb/build-dynoxide.ts');
    process.env.TEST_DYNOXIDE = dynoxide();
  }
  const { startEngine } = await import('../dynamodb/engine.ts');
  sharedEngine = await startEngine();
  process.env.TEST_DYNAMODB_ENDPOINT = sharedEngine.endpoint;
};
