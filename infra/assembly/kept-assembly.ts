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

const isComplete = (assembly: string): boolean => existsSync(join(assembly, 'manifest.json'));

/** A copy of the assembly that is kept at the path, or undefined. */
export const copyKept = (path: string): string | undefined => {
  try {
    const now = new Date();
    utimesSync(path, now, now);
    const copy = copyAssembly(path);
    return isComplete(copy) ? copy : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
};

/** Under another name first, so that no one who is copying it misses a part and thinks it complete. */
const discard = (path: string): void => {
  try {
    renameSync(path, `${path}.discarded`);
  } catch {
    // Somebody else has.
  }
  rmSync(`${path}.discarded`, { recursive: true, force: true });
};

const prune = (directory: string): void => {
  const lastUse = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const entries = readdirSync(directory).map((name) => join(directory, name));
  const byAge = entries.map((path) => ({ path, used: lastUse(path) })).sort((a, b) => b.used - a.used);
  for (const { path } of byAge.slice(newest).filter(({ used }) => used < Date.now() - lately)) {
    discard(path);
  }
};

/** Keeps a copy of an assembly at the path: whole, or not at all. */
export const keepAssembly = (assembly: string, path: string): void => {
  const unfinished = copyAssembly(assembly, dirname(path));
  if (existsSync(path) && !isComplete(path)) {
    // The system tidies its temporary files by age.
    discard(path);
  }
  try {
    renameSync(unfinished, path);
  } catch {
    // Another process has kept the same meanwhile.
  }
  prune(dirname(path));
};
