import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../../../infra/assembly/synthesize.ts';
import { alone } from '../process/alone.ts';

/** Synthesizes both stages for the first test file that needs them. The others share them. */
const synthesizeOnce = (directory: string): Promise<string> =>
  alone('assembly', async () => {
    if (!existsSync(directory)) {
      renameSync(await synthesize('*'), directory);
    }
    return directory;
  });

/**
 * The directory of the cloud assembly of both stages; empty in tests of a deployment, which need
 * none.
 */
export const assembly =
  process.env.ACCEPTANCE_BASE_URL === undefined
    ? await synthesizeOnce(join(process.env.TEST_RUN_DIRECTORY ?? '', 'assembly'))
    : '';
