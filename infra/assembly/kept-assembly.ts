import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from './private-directory.ts';

/** Kept are the newest assemblies, and all that were used lately (milliseconds). */
const newest = 8;
const lately = 3_600_000;

/** Copies a cloud assembly, and returns the directory of the copy, which is removed when the process ends. */
export const copyAssembly = (assembly: string, parent?: string): string => {
  const directory = temporaryDirectory(parent);
  cpSync(assembly, directory, { recursive: true });
  return directory;
};

/** Under another name first, so that no one who is copying it misses a part and thinks it complete. */
const discard = (path: string): undefined => {
  renameSync(path, `${path}.discarded`);
  rmSync(`${path}.discarded`, { recursive: true, force: true });
};

/** A copy of the assembly that is kept at the path, or undefined. */
export const copyKept = (path: string): string | undefined => {
  try {
    utimesSync(path, new Date(), new Date());
    const copy = copyAssembly(path);
    // The system removes temporary files by their age.
    return existsSync(join(copy, 'manifest.json')) ? copy : discard(path);
  } catch {
    // None is kept there, or another process is discarding it.
    return undefined;
  }
};

/** Keeps a copy of an assembly at the path: whole, or not at all. Another process may do the same meanwhile. */
export const keepAssembly = (assembly: string, path: string): void => {
  const directory = dirname(path);
  const unfinished = copyAssembly(assembly, directory);
  try {
    renameSync(unfinished, path);
    const lastUse = (name: string) => statSync(join(directory, name)).mtimeMs;
    const byAge = readdirSync(directory).sort((a, b) => lastUse(b) - lastUse(a));
    for (const name of byAge.slice(newest).filter((entry) => lastUse(entry) < Date.now() - lately)) {
      discard(join(directory, name));
    }
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
};
