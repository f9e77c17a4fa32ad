import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { synthesize } from '../../infra/assembly/synthesize.ts';

/** Synthesizes at the first need; every other test file of the run, in whatever process, waits for that and shares it. */
const synthesizeOnce = async (runDirectory: string): Promise<string> => {
  const directory = join(runDirectory, 'assembly');
  const failure = join(runDirectory, 'assembly-failure');
  try {
    mkdirSync(join(runDirectory, 'assembly-lock'));
  } catch {
    while (!existsSync(directory)) {
      if (existsSync(failure)) {
        throw new Error(readFileSync(failure, 'utf8'));
      }
      await sleep(50);
    }
    return directory;
  }
  try {
    renameSync(await synthesize('*'), directory);
    return directory;
  } catch (error) {
    writeFileSync(failure, String(error));
    throw error;
  }
};

/** The cloud assembly of both stages. Tests of a deployment need none. */
export const assembly =
  process.env.ACCEPTANCE_BASE_URL === undefined ? await synthesizeOnce(process.env.TEST_RUN_DIRECTORY ?? '') : '';
