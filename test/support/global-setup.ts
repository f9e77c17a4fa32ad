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
  const { startEngine } = await import('./engine.ts');
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // Some tests are another user for a moment.
  chmodSync(directory, 0o711);
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
