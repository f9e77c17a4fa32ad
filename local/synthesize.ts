import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const projectDirectory = join(import.meta.dirname, '..');

/**
 * Runs `cdk synth` for one stage into a directory that lives as long as this process, and returns it.
 * Outside the project, so that Node reads the bundles as on Lambda: with no package.json above them.
 */
export const synthesize = async (stageName: string): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-inventory-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const cdk = join(projectDirectory, 'node_modules/aws-cdk/bin/cdk');
  try {
    await promisify(execFile)(process.execPath, [cdk, 'synth', `${stageName}/*`, '--quiet', '--output', directory], {
      cwd: projectDirectory,
    });
  } catch (error) {
    throw new Error(`cdk synth failed.\n${(error as { stderr: string }).stderr}`);
  }
  return directory;
};
