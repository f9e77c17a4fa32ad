import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryDirectory } from './private-directory.ts';

/**
 * Copies a cloud assembly to a place outside every `node_modules`, and returns the directory of the
 * copy, which is removed when the process ends. Inside the checkout, a bundle could load a package
 * that it lacks, and would fail only on Lambda.
 */
export const copyAssembly = (assembly: string): string => {
  const directory = temporaryDirectory();
  cpSync(assembly, directory, { recursive: true });
  return directory;
};

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
export const copyKept = (kept: Kept): string | undefined => {
  try {
    const copy = copyAssembly(pathOf(kept));
    // Someone may have removed a part of it.
    return existsSync(join(copy, 'manifest.json')) ? copy : undefined;
  } catch {
    // Nothing is kept, or another process is replacing it.
    return undefined;
  }
};

/**
 * Keeps a complete copy of an assembly in place of the one of that name, or nothing if the cache
 * cannot be written. Another process may do the same at the same time.
 */
export const keepAssembly = (assembly: string, kept: Kept): void => {
  try {
    mkdirSync(kept.cache, { recursive: true });
    const unfinished = mkdtempSync(`${pathOf(kept)}-`);
    cpSync(assembly, unfinished, { recursive: true });
    // Also removes what processes that were killed have left unfinished.
    for (const entry of readdirSync(kept.cache)) {
      if (entry.startsWith(`${kept.name}-`) && entry !== basename(unfinished)) {
        discard(entry, kept);
      }
    }
    renameSync(unfinished, pathOf(kept));
  } catch {
    // The next command synthesizes again.
  }
};

/** Removes an entry of the cache. A process that is copying it fails, instead of missing a part. */
const discard = (entry: string, { cache, name }: Kept): void => {
  const discarded = join(cache, `${name}-discarded-${crypto.randomUUID()}`);
  renameSync(join(cache, entry), discarded);
  rmSync(discarded, { recursive: true, force: true });
};
