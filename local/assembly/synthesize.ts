import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import cdkJson from '../../cdk.json' with { type: 'json' };

const project = join(import.meta.dirname, '../..');

/**
 * Synthesizes a stage as the CDK's command does, which runs the app with these two variables.
 * Returns the directory of the cloud assembly, which is removed when the process ends.
 * @throws Error with what the app writes if it fails
 */
export const synthesize = async (stageName: string): Promise<string> => {
  const directory = makeDirectory();
  const context = { ...cdkJson.context, 'aws:cdk:bundling-stacks': [`${stageName}/*`] };
  await promisify(execFile)(process.execPath, ['infra/app.ts'], {
    cwd: project,
    env: {
      ...process.env,
      CDK_OUTDIR: directory,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      // AWS's rules are checked before a deployment. Here, that would take half of the time.
      CDK_VALIDATION: 'false',
    },
  });
  return directory;
};

/**
 * Makes a directory of this process alone: another run of the same checkout may have other bundles.
 * It is outside every `node_modules`, so that no bundle finds a package there that it lacks, and
 * other users can neither read nor write it.
 */
const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-inventory-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  // Node then loads the bundles as Lambda does, even if a directory above has a package.json.
  writeFileSync(join(directory, 'package.json'), '{}');
  return directory;
};
