import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the directory of an engine's tables within a data directory, made if it is missing, and
 * closed to other users. LevelDB deletes files by their name, so it gets a directory of its own.
 * @throws Error that says which engine wrote the tables, if it was another one
 */
export const tablesDirectory = (dataDirectory: string, engine: string): string => {
  const directory = join(dataDirectory, 'petstore-tables');
  const mark = join(directory, 'engine');
  if (!existsSync(directory)) {
    makeDirectory(directory);
    writeFileSync(mark, `${engine}\n`);
  }
  const writer = (existsSync(mark) && readFileSync(mark, 'utf8').trim()) || firstEngine;
  if (writer !== engine) {
    throw new Error(`${writer} wrote its tables, which ${engine} cannot read`);
  }
  chmodSync(directory, 0o700);
  return directory;
};

/** The engine of tables that do not say who wrote them: once, there was no other. */
const firstEngine = 'dynalite';

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
