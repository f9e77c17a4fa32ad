import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { alone } from '../process/alone.ts';
import { runProgram } from '../process/tools.ts';

/** Synthesizes both stages with bundles, as `cdk synth` does, but without loading the CLI. */
const synthesizeTo = async (directory: string): Promise<void> => {
  const { code, errors } = await runProgram(process.execPath, ['test/support/stack/app.ts'], {
    CDK_OUTDIR: directory,
    CDK_CONTEXT_JSON: JSON.stringify(cdkJson.context),
  });
  if (code !== 0) {
    throw new Error(`The stages could not be synthesized.\n${errors}`);
  }
};

/**
 * The directory of the cloud assembly of both stages, for files whose every test needs it. The first
 * of a run synthesizes it, and the others share it.
 */
export const assembly = await alone('assembly', async () => {
  const directory = join(process.env.TEST_RUN_DIRECTORY ?? '', 'assembly');
  if (!existsSync(directory)) {
    const unfinished = `${directory}-unfinished`;
    await synthesizeTo(unfinished);
    renameSync(unfinished, directory);
  }
  return directory;
});
