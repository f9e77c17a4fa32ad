import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../../local/tables/tables.ts';
import { cache } from '../process/tools.ts';

const settings =
  /^(ACCEPTANCE|AWS|CDK|GIT|LC|PETSTORE)_|^(DEBUG|FORCE_COLOR|KEY_ACCESS|LANG|LANGUAGE|NO_COLOR|READ_ONLY)$/;

/**
 * Deletes what a developer has set for the AWS CLI, the CDK, petstore or a language, and what git
 * sets for a hook or `git rebase --exec`: none of it must change what tests do, nor may they write to
 * the repository that a hook runs for.
 */
export const forgetSettings = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(env)) {
    if (settings.test(name)) {
      delete env[name];
    }
  }
};

/**
 * Makes a directory for all that the tests write, but what Node has compiled of the programs. To
 * compile that anew takes seconds of each run, and Node checks it against their text.
 */
const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // What a process that is just ending writes meanwhile is removed by another try.
  const options = { recursive: true, force: true, maxRetries: 10 };
  process.once('exit', () => rmSync(directory, options));
  Object.assign(process.env, {
    TEST_RUN_DIRECTORY: directory,
    TMPDIR: directory,
    NODE_COMPILE_CACHE: join(cache, 'node'),
  });
  return directory;
};

/** Gives tests other files for what a developer has configured in his home. */
const configure = (directory: string): void => {
  const gitConfig = join(directory, 'gitconfig');
  // In a container, the user may not own the checkout.
  writeFileSync(gitConfig, '[safe]\n\tdirectory = *\n');
  Object.assign(process.env, {
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    GIT_CONFIG_GLOBAL: gitConfig,
  });
};

/** The engine of the run, once it is prepared. */
export let sharedEngine: Engine | undefined;

/** Prepares a test run: a directory and a DynamoDB engine that all its tests share. */
export default async () => {
  forgetSettings(process.env);
  configure(makeDirectory());
  const { startEngine } = await import('../dynamodb/engine.ts');
  sharedEngine = await startEngine();
  process.env.TEST_DYNAMODB_ENDPOINT = sharedEngine.endpoint;
  process.env.CDK_APP = 'node node-24.cjs test/support/stack/app.ts';
  // The CDK's own rules are two thirds of a synthesis, and change no file that tests read. `npm run
  // synth` and test/infra/settings/stage-settings.slow.ts apply them.
  process.env.CDK_VALIDATION = 'false';
};
