import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from './engine.ts';

/** Before all tests of a run: a directory and a DynamoDB engine that they share. */
export default async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  const { endpoint, stop } = await startEngine();
  process.once('exit', () => {
    stop();
    rmSync(directory, { recursive: true, force: true });
  });
  process.env.TEST_RUN_DIRECTORY = directory;
  process.env.TEST_DYNAMODB_ENDPOINT = endpoint;
};
