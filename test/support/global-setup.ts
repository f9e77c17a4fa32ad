import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before all tests of a run: a directory and a DynamoDB engine that they share, and stages of their own. Temporary files are in that
 * directory too, with the assembly that is kept, and so is what Node has compiled, for the many processes that load the same modules.
 */
export default async () => {
  // Tests of a deployment need none of that.
  if (process.env.ACCEPTANCE_BASE_URL !== undefined) {
    return;
  }
  // What a developer has set for the AWS CLI, the CDK or petstore must not change what a test does.
  for (const name of Object.keys(process.env)) {
    if (/^(ACCEPTANCE|AWS|CDK|PETSTORE)_|^(DEBUG|FORCE_COLOR|NO_COLOR)$/.test(name)) {
      delete process.env[name];
    }
  }
  const { startEngine } = await import('./engine.ts');
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // Some tests are another user for a moment.
  chmodSync(directory, 0o711);
  const { endpoint, stop } = await startEngine();
  process.once('exit', () => {
    stop();
    rmSync(directory, { recursive: true, force: true });
  });
  Object.assign(process.env, { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' });
  process.env.CDK_APP = 'node -r ./require-node-24.cjs test/support/app.ts';
  process.env.TEST_RUN_DIRECTORY = directory;
  process.env.TMPDIR = directory;
  process.env.NODE_COMPILE_CACHE = join(directory, 'compiled');
  process.env.TEST_DYNAMODB_ENDPOINT = endpoint;
};
