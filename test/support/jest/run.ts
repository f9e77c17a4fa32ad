import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const settings =
  /^(ACCEPTANCE|AWS|CDK|PETSTORE)_|^(DEBUG|FORCE_COLOR|KEY_ACCESS|NO_COLOR|READ_ONLY)$/;

/** What a developer has set for the AWS CLI, the CDK or petstore must not change what tests do. */
const forgetSettings = () => {
  for (const name of Object.keys(process.env)) {
    if (settings.test(name)) {
      delete process.env[name];
    }
  }
  Object.assign(process.env, {
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  });
};

/** Makes a directory for all that the tests write, with the compile cache of their processes. */
const makeDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // What a process that is just ending writes meanwhile is removed by another try.
  const options = { recursive: true, force: true, maxRetries: 10 };
  process.once('exit', () => rmSync(directory, options));
  Object.assign(process.env, {
    TEST_RUN_DIRECTORY: directory,
    TMPDIR: directory,
    NODE_COMPILE_CACHE: join(directory, 'compiled'),
  });
};

/** Prepares a test run: a directory and a DynamoDB engine that all its tests share. */
export default async () => {
  forgetSettings();
  makeDirectory();
  const { startEngine } = await import('../dynamodb/engine.ts');
  const { endpoint, stop } = await startEngine();
  process.prependOnceListener('exit', stop);
  process.env.TEST_DYNAMODB_ENDPOINT = endpoint;
  process.env.CDK_APP = 'node node-24.cjs test/support/stack/app.ts';
  // The CDK's own rules are two thirds of a synthesis, and change no file that tests read. `npm run
  // synth` and test/infra/settings/stage-settings.slow.ts apply them.
  process.env.CDK_VALIDATION = 'false';
};
