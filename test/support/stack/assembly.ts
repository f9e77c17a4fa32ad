import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { synthesize } from '../../../infra/assembly/synthesize.ts';

/**
 * Synthesizes both stages for the first test file that needs them. The others, in any process, wait
 * and share them.
 */
const synthesizeOnce = async (directory: string): Promise<string> => {
  while (!existsSync(directory)) {
    const lock = mkdirSync(`${directory}-lock`, { recursive: true });
    // Another process holds the lock.
    if (lock === undefined) {
      await sleep(50);
      continue;
    }
    const made = await synthesize('*').catch((error) => {
      rmdirSync(lock);
      throw error;
    });
    renameSync(made, directory);
  }
  return directory;
};

/**
 * The directory of the cloud assembly of both stages; empty in tests of a deployment, which need
 * none.
 */
export const assembly =
  process.env.ACCEPTANCE_BASE_URL === undefined
    ? await synthesizeOnce(join(process.env.TEST_RUN_DIRECTORY ?? '', 'assembly'))
    : '';
