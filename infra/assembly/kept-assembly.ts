import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from './private-directory.ts';

/**
 * How many of the newest assemblies are kept, and the milliseconds for which any is kept after its
 * last use.
 */
const newest = 8;
const lately = 3_600_000;

/**
 * Copies a cloud assembly, and returns the directory of the copy, which is removed when the process
 * ends.
 */
export const copyAssembly = (assembly: string, parent?: string): string => {
  const directory = temporaryDirectory(parent);
  cpSync(assembly, directory, { recursive: true });
  return directory;
};

/**
 * Deletes an assembly. It is renamed first, so that a process that is copying it fails instead of
 * missing a part.
 */
const discard = (path: string): undefined => {
  renameSync(path, `${path}.discarded`);
  rmSync(`${path}.discarded`, { recursive: true, force: true });
};

/**
 * Copies the assembly that is kept at the path. Returns the directory of the copy, or undefined if
 * there is none.
 */
export const copyKept = (path: string): string | undefined => {
  try {
    utimesSync(path, new Date(), new Date());
    const copy = copyAssembly(path);
    // The assembly may be incomplete, because the operating system removes old temporary files.
    return existsSync(join(copy, 'manifest.json')) ? copy : discard(path);
  } catch {
    // No assembly is kept there, or another process is discarding it.
    return undefined;
  }
};

/**
 * Keeps a complete copy of an assembly at the path, or none. Another process may do the same at the
 * same time.
 */
export const keepAssembly = (assembly: string, path: string): void => {
  const directory = dirname(path);
  const unfinished = copyAssembly(assembly, directory);
  try {
    renameSync(unfinished, path);
    const lastUse = (name: string) => statSync(join(directory, name)).mtimeMs;
    const byAge = readdirSync(directory).sort((a, b) => lastUse(b) - lastUse(a));
    for (const name of byAge
      .slice(newest)
      .filter((entry) => lastUse(entry) < Date.now() - lately)) {
      discard(join(directory, name));
    }
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
};
