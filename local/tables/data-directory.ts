import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Level } from 'level';

/** The folder in a data directory that shows whose it is. Its store is open while it is used. */
const mark = 'in-use';

/** The files of dynalite's store, which is a LevelDB. */
const storeFile = /^(CURRENT|LOCK|LOG|LOG\.old|MANIFEST-\d+|\d+\.(dbtmp|ldb|log|sst))$/;

/**
 * Stores that stay open until the process ends. Without a reference, they would be
 * garbage-collected and closed.
 */
const held: Level[] = [];

/**
 * Locks a data directory for this process, and creates it if it is missing. dynalite ends the
 * process if another run uses its store or the store is invalid. So this opens and closes the store
 * first, and keeps another, in-use, open.
 * @throws Error if the directory holds anything else, or another run uses it
 */
export const takeDataDirectory = async (directory: string): Promise<void> => {
  checkContent(directory);
  await makeDirectory(join(directory, mark));
  const inUse = await openStore(join(directory, mark));
  held.push(inUse);
  const store = await openStore(directory);
  await store.close();
};

/** Checks that a directory is new, empty or ours: LevelDB deletes files by their name. */
const checkContent = (directory: string): void => {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const other = names.find((name) => name !== mark && !storeFile.test(name));
  if (other !== undefined) {
    throw new Error(`it holds ${other}, which is no part of a local run's tables.`);
  }
  if (names.length > 0 && !names.includes(mark)) {
    throw new Error('it holds the database of another program.');
  }
};

/**
 * Creates a directory and its parents. Node's own recursion never ends where the system keeps
 * reporting ENOENT.
 */
const makeDirectory = async (path: string): Promise<void> => {
  if (existsSync(path)) {
    return;
  }
  await makeDirectory(dirname(path));
  await mkdir(path).catch((error) => {
    // Another run may have created it meanwhile.
    if (!existsSync(path)) {
      throw error;
    }
  });
};

const openStore = async (directory: string): Promise<Level> => {
  const store = new Level(directory);
  await store.open().catch((error: Error) => {
    const cause = (error.cause ?? error) as NodeJS.ErrnoException;
    throw new Error(cause.code === 'LEVEL_LOCKED' ? 'another run is using it.' : cause.message);
  });
  return store;
};
