import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Prepares a test run: a directory and a DynamoDB engine that all tests share, and a CDK app with stages for tests.
 * The directory holds temporary files, the kept assembly and Node's compile cache, which many processes share.
 */
export default async () => {
  // Tests of a deployment need none of this.
  if (process.env.ACCEPTANCE_BASE_URL !== undefined) {
    return;
  }
  const { startEngine } = await import('./engine.ts');
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  const { endpoint, stop } = await startEngine();
  process.once('exit', () => {
    stop();
    rmSync(directory, { recursive: true, force: true });
  });
  process.env.CDK_APP = 'node -r ./require-node-24.cjs test/support/app.ts';
  process.env.TEST_RUN_DIRECTORY = directory;
  process.env.TMPDIR = directory;
  process.env.NODE_COMPILE_CACHE = join(directory, 'compiled');
  process.env.TEST_DYNAMODB_ENDPOINT = endpoint;
};
