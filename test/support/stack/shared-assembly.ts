import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../../../infra/assembly/synthesize.ts';
import { alone } from '../process/alone.ts';

/**
 * Returns the directory of the cloud assembly of both stages. The first test file of a run that
 * needs one synthesizes it, and the others share it.
 */
export const sharedAssembly = (): Promise<string> =>
  alone('assembly', async () => {
    const directory = join(process.env.TEST_RUN_DIRECTORY ?? '', 'assembly');
    if (!existsSync(directory)) {
      renameSync(await synthesize('*'), directory);
    }
    return directory;
  });
