import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { synthesize } from '../../infra/assembly/synthesize.ts';

/** Synthesizes at the first need; every other test file of the run, in whatever process, waits for that and shares it. */
const synthesizeOnce = async (directory: string): Promise<string> => {
  while (!existsSync(directory)) {
    const lock = mkdirSync(`${directory}-lock`, { recursive: true });
    // Another process has made the lock.
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

/** The cloud assembly of both stages. Tests of a deployment need none. */
export const assembly =
  process.env.ACCEPTANCE_BASE_URL === undefined
    ? await synthesizeOnce(join(process.env.TEST_RUN_DIRECTORY ?? '', 'assembly'))
    : '';
