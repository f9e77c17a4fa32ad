import { createHash } from 'node:crypto';
import { type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

/** Milliseconds without another event after which the files are read. Editors write in steps. */
const settleMs = 50;

const project = join(import.meta.dirname, '../..');
const watched = ['functions', 'infra'];

/** The hash of each source by its path in the project, such as `functions/authorizer.ts`. */
export type Sources = Map<string, string>;

/** Reads functions/ and infra/. A file that is being replaced may be missing. */
export const readSources = (): Sources => {
  const sources: Sources = new Map();
  for (const directory of directories(project)) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isFile()) {
        sources.set(nameOf(path), hashOf(path));
      }
    }
  }
  return sources;
};

/** Returns the paths of what was changed, added or removed between two readings. */
export const changedSources = (before: Sources, after: Sources): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );

/**
 * Calls back whenever something in functions/ or infra/ may have changed. Each directory is watched
 * by itself, because Node's recursive watching on Linux no longer sees a file once an editor has
 * replaced it.
 */
export const watchSources = (onEvent: () => void, root = project): { close(): void } => {
  let watchers: FSWatcher[] = [];
  let settling: NodeJS.Timeout | undefined;
  const settle = (milliseconds = settleMs): void => {
    clearTimeout(settling);
    settling = setTimeout(settled, milliseconds);
  };
  const settled = (): void => {
    try {
      watchAll();
      onEvent();
    } catch {
      // A directory is being replaced, such as by git.
      settle(10 * settleMs);
    }
  };
  const watchAll = (): void => {
    // Directories may have been added, or replaced by others of the same name.
    const before = watchers;
    watchers = directories(root).map((path) =>
      watch(path, () => settle()).on('error', () => settle()),
    );
    before.forEach((watcher) => void watcher.close());
  };
  watchAll();
  return {
    close: () => {
      clearTimeout(settling);
      watchers.forEach((watcher) => void watcher.close());
    },
  };
};

const directories = (root: string): string[] =>
  watched.flatMap((name) => {
    const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true });
    const below = entries.filter((entry) => entry.isDirectory());
    return [join(root, name), ...below.map((entry) => join(entry.parentPath, entry.name))];
  });

const nameOf = (path: string): string => relative(project, path).replaceAll('\\', '/');

const hashOf = (path: string): string => {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    // It was removed since its directory was read.
    return '';
  }
};
