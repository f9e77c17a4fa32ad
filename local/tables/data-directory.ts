import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder in a data directory that shows whose it is. */
const mark = 'in-use';

/** The files of dynalite's store, which is a LevelDB. */
const storeFile = /^(CURRENT|LOCK|LOG|LOG\.old|MANIFEST-\d+|\d+\.(dbtmp|ldb|log|sst))$/;

/**
 * Creates a data directory if it is missing, and marks it as ours. LevelDB deletes files by their
 * name, so that a directory of other files would lose some.
 * @throws Error with the code ENOENT if the directory holds anything else
 */
export const prepareDataDirectory = async (directory: string): Promise<void> => {
  try {
    checkContent(existsSync(directory) ? readdirSync(directory) : []);
    await makeDirectory(join(directory, mark));
  } catch (cause) {
    throw unusableDirectory(directory, cause as Error);
  }
};

export const unusableDirectory = (directory: string, cause: Error): Error => {
  const message = `--data ${directory} cannot be used: ${cause.message}`;
  return Object.assign(new Error(message, { cause }), { code: 'ENOENT' });
};

const checkContent = (names: string[]): void => {
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
