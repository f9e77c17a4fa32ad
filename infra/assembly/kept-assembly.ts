import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';

/**
 * Copies a cloud assembly to a place outside every `node_modules`, and returns the directory of the
 * copy, which is removed when the process ends. Inside the checkout, a bundle could load a package
 * that it lacks, and would fail only on Lambda.
 */
export const copyAssembly = async (assembly: string): Promise<string> => {
  const directory = temporaryDirectory();
  await copyDirectory(assembly, directory);
  return directory;
};

/** Copies with `cp`: `cpSync` ends the process if it cannot read a directory (nodejs/node#63970). */
const copyDirectory = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true });

/** An assembly that is kept for later commands. */
export interface Kept {
  /** The directory of all assemblies that are kept. */
  cache: string;
  /** What was synthesized. One assembly of each name is kept. */
  name: string;
  /** The hash of the sources that it was synthesized from. */
  hash: string;
}

const pathOf = ({ cache, name, hash }: Kept): string => join(cache, `${name}-${hash}`);

/** Copies the kept assembly. Returns the directory of the copy, or undefined if none is kept. */
export const copyKept = async (kept: Kept): Promise<string | undefined> => {
  try {
    const copy = await copyAssembly(pathOf(kept));
    // Someone may have removed a part of it.
    return existsSync(join(copy, 'manifest.json')) ? copy : undefined;
  } catch {
    // Nothing is kept, another user has kept it, or another process is replacing it.
    return undefined;
  }
};

/**
 * Keeps a complete copy of an assembly in place of the one of that name, or nothing if the cache
 * cannot be written. Another process may do the same at the same time.
 */
export const keepAssembly = async (assembly: string, kept: Kept): Promise<void> => {
  try {
    await mkdir(kept.cache, { recursive: true });
    const unfinished = await mkdtemp(`${pathOf(kept)}-`);
    await copyDirectory(assembly, unfinished);
    // Also removes what processes that were killed have left unfinished.
    for (const entry of await readdir(kept.cache)) {
      if (entry.startsWith(`${kept.name}-`) && entry !== basename(unfinished)) {
        await discard(entry, kept);
      }
    }
    await rename(unfinished, pathOf(kept));
  } catch {
    // The next command synthesizes again.
  }
};

/** Removes an entry of the cache. A process that is copying it fails, instead of missing a part. */
const discard = async (entry: string, { cache, name }: Kept): Promise<void> => {
  const discarded = join(cache, `${name}-discarded-${crypto.randomUUID()}`);
  await rename(join(cache, entry), discarded);
  await rm(discarded, { recursive: true, force: true });
};
