import { synthesize } from '../../infra/assembly/synthesize.ts';

/** Before all tests of a run: one cloud assembly for all of them. A deployment needs none. */
export default async () => {
  if (process.env.ACCEPTANCE_BASE_URL === undefined) {
    process.env.CLOUD_ASSEMBLY ??= await synthesize('*');
  }
};
