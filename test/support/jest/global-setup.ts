import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Prepares a test run: a directory and a DynamoDB engine that all tests share, and a CDK app with
 * stages for tests. The directory holds temporary files, the kept assembly and Node's compile
 * cache, which many processes share.
 */
export default async () => {
  // Tests of a deployment need none of this.
  if (process.env.ACCEPTANCE_BASE_URL !== undefined) {
    return;
  }
  // What a developer has set for the AWS CLI, the CDK or petstore must not change what a test does.
  for (const name of Object.keys(process.env)) {
    if (/^(ACCEPTANCE|AWS|CDK|PETSTORE)_|^(DEBUG|FORCE_COLOR|NO_COLOR)$/.test(name)) {
      delete process.env[name];
    }
  }
  const { startEngine } = await import('../dynamodb/engine.ts');
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  const { endpoint, stop } = await startEngine();
  process.once('exit', () => {
    stop();
    rmSync(directory, { recursive: true, force: true });
  });
  Object.assign(process.env, {
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  });
  process.env.CDK_APP = 'node node-24.cjs test/support/stack/app.ts';
  process.env.TEST_RUN_DIRECTORY = directory;
  process.env.TMPDIR = directory;
  process.env.NODE_COMPILE_CACHE = join(directory, 'compiled');
  process.env.TEST_DYNAMODB_ENDPOINT = endpoint;
};
