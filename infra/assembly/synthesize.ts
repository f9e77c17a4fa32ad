import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const projectDirectory = join(import.meta.dirname, '../..');

/**
 * For a cloud assembly, as long as this process lives. Outside the project, so that Node reads the bundles as on
 * Lambda: with no package.json above them.
 */
const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-inventory-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** Runs `cdk synth` for one stage, or for every one (`*`), and returns the directory of the cloud assembly. */
export const synthesize = async (stageName: string): Promise<string> => {
  const directory = temporaryDirectory();
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

/** Copies a cloud assembly, and returns the directory of the copy. */
export const copyAssembly = (app: string): string => {
  const directory = temporaryDirectory();
  cpSync(app, directory, { recursive: true });
  return directory;
};
