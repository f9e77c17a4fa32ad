import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copyKept, type Kept, keepAssembly } from './kept-assembly.ts';
import { sourceHash } from './source-hash.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const project = join(import.meta.dirname, '../..');

/**
 * Synthesizes a stage, or all (`*`), and returns the assembly's directory, which is removed when
 * the process ends.
 */
export const synthesizeAnew = async (
  stageName: string,
  environment = process.env,
): Promise<string> => {
  const directory = temporaryDirectory();
  // cdk needs a home, which a user without a passwd entry may not have.
  const env = { HOME: directory, ...environment, TMPDIR: dirname(directory) };
  const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');
  const options = ['synth', `${stageName}/*`, '--quiet', '--output', directory];
  // cdk and the processes that it starts form a group, which is killed at exit, before the
  // directory is removed.
  const detached = process.platform !== 'win32';
  const child = spawn(process.execPath, [cdk, ...options], {
    cwd: project,
    env,
    detached,
    stdio: 'pipe',
  });
  const endAll = () => process.kill(Number(child.pid) * (detached ? -1 : 1), 'SIGKILL');
  process.prependOnceListener('exit', endAll);
  child.once('exit', () => process.off('exit', endAll)).stdout.resume();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code !== 0) {
    throw new Error(`cdk synth failed.\n${errors}`);
  }
  return directory;
};

/**
 * Synthesizes a stage, or all (`*`), unless an assembly of the same sources was kept. Returns the
 * directory of an assembly that nobody else uses.
 */
export const synthesize = async (stageName: string): Promise<string> => {
  const kept = keptOf(stageName);
  const copy = await copyKept(kept);
  if (copy !== undefined) {
    return copy;
  }
  const assembly = await synthesizeAnew(stageName);
  // If the sources were edited meanwhile, the assembly may have been made from either version.
  if (keptOf(stageName).hash === kept.hash) {
    await keepAssembly(assembly, kept);
  }
  return assembly;
};

/** Where this checkout keeps its assembly of a stage, or of all (`*`). */
export const keptOf = (stageName: string, environment = process.env): Kept => ({
  cache: join(project, 'node_modules/.cache/petstore'),
  name: stageName === '*' ? 'every-stage' : stageName,
  hash: sourceHash(project, environment),
});
