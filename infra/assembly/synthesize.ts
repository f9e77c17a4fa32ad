import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { copyKept, keepAssembly } from './kept-assembly.ts';
import { homeDirectory, privateDirectory, temporaryDirectory } from './private-directory.ts';
import { sourceHash } from './source-hash.ts';

export { copyAssembly } from './kept-assembly.ts';

const project = join(import.meta.dirname, '../..');

const runCdk = async (stageName: string): Promise<string> => {
  const directory = temporaryDirectory();
  const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');
  // cdk.json names Node without a path, and cdk fails without a home.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, HOME: homeDirectory() };
  const options = ['synth', `${stageName}/*`, '--quiet', '--output', directory];
  try {
    await promisify(execFile)(process.execPath, [cdk, ...options], { cwd: project, env });
  } catch (error) {
    throw new Error(`cdk synth failed.\n${(error as { stderr: string }).stderr}`);
  }
  return directory;
};

/**
 * Runs `cdk synth` for one stage, or for every one (`*`), and returns the directory of the cloud assembly, which is
 * removed when the process ends. What was synthesized from the same sources before is not synthesized again.
 */
export const synthesize = async (stageName: string): Promise<string> => {
  const hash = sourceHash(project);
  const path = join(privateDirectory(), `${stageName === '*' ? 'all' : stageName}-${hash}`);
  const kept = copyKept(path);
  if (kept) {
    return kept;
  }
  const assembly = await runCdk(stageName);
  // Sources that were edited meanwhile may or may not be in it.
  if (sourceHash(project) === hash) {
    keepAssembly(assembly, path);
  }
  return assembly;
};
