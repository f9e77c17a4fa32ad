import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * With the name of the machine, because containers may share a directory, but not their processes.
 */
const prefix = `petstore-inventory-${hostname()}-`;

const created: string[] = [];
process.once('exit', () => {
  for (const directory of created) {
    rmSync(directory, { recursive: true, force: true });
  }
});

/**
 * Creates a directory that only this user can write to. It is removed when the process ends. If the
 * process is killed, the next one that creates a directory here removes it.
 */
export const temporaryDirectory = (parent = tmpdir()): string => {
  removeLeftovers(parent);
  const directory = mkdtempSync(resolve(parent, `${prefix}${process.pid}-`));
  created.push(directory);
  // With this file, Node loads the bundles as Lambda does, even if a parent directory has a
  // package.json.
  writeFileSync(join(directory, 'package.json'), '{}');
  return directory;
};

/** Removes the directories of this user's processes that were killed. */
const removeLeftovers = (parent: string): void => {
  for (const name of namesIn(parent)) {
    const [, rest = ''] = name.split(prefix);
    const [, pid] = /^(\d+)-[^-]+$/.exec(rest) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      removeOwn(join(parent, name));
    }
  }
};

/** A directory that cannot be listed may still be one in which this user can create others. */
const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM says that the process runs, as another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Removes a directory of this user: what another user's contains may change at any time. */
const removeOwn = (directory: string): void => {
  try {
    const { uid } = lstatSync(directory);
    if (process.getuid === undefined || uid === process.getuid()) {
      rmSync(directory, { recursive: true, force: true });
    }
  } catch {
    // Another process is removing it, too.
  }
};
