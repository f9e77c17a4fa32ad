import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the directory of the tables within a data directory, made if it is missing, and closed to
 * other users. LevelDB deletes files by their name, so it gets a directory of its own.
 */
export const tablesDirectory = (dataDirectory: string): string => {
  const directory = join(dataDirectory, 'petstore-tables');
  makeDirectory(directory);
  chmodSync(directory, 0o700);
  return directory;
};

/**
 * Makes a directory and its parents. Node's own recursion never ends where the system keeps
 * reporting ENOENT, as in /proc.
 */
const makeDirectory = (path: string): void => {
  if (!existsSync(path)) {
    makeDirectory(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
};
