import { randomUUID } from 'node:crypto';
import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError } from '../cli/cli-error.ts';

/** A file that is written as a whole, or not at all. */
interface OutputFile {
  /** As the operator gave it. */
  path: string;
  /** Where it is, with no links on the way. */
  realPath: string;
  /** The permissions of the file that it replaces. */
  mode: number | undefined;
}

/**
 * Finds out where a file is to be written. Creates and changes nothing.
 * @throws CliError if anything but a regular file is there, or if it cannot be written
 */
export const outputFile = (path: string): OutputFile => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ? existing(path) : missing(path);
  } catch (error) {
    throw cannotWrite(path, error);
  }
};

const existing = (path: string): OutputFile => {
  const realPath = realpathSync(path);
  const found = statSync(realPath);
  if (!found.isFile()) {
    throw new CliError('invalid', `${path} is no regular file.`, {
      hint: 'Give --out a file, or leave it out: the export goes to standard output then.',
    });
  }
  accessSync(realPath, constants.W_OK);
  accessSync(dirname(realPath), constants.W_OK);
  return { path, realPath, mode: found.mode & 0o777 };
};

const missing = (path: string): OutputFile => {
  const directory = realpathSync(dirname(path));
  accessSync(directory, constants.W_OK);
  return { path, realPath: join(directory, basename(path)), mode: undefined };
};

const cannotWrite = (path: string, error: unknown): unknown => {
  const { syscall, message } = error as NodeJS.ErrnoException;
  // Whatever else fails is not about the file.
  return syscall === undefined
    ? error
    : new CliError('invalid', `Cannot write ${path}: ${message}.`, { cause: error });
};

/** Writes a file beside its place, and renames it once it is complete. */
export const replaceFile = async (
  { path, realPath, mode }: OutputFile,
  text: string,
  signal: AbortSignal,
): Promise<void> => {
  const unfinished = join(dirname(realPath), `petstore-${randomUUID()}.unfinished`);
  try {
    // Flushed, because some file systems report a full disk or quota only then.
    await writeFile(unfinished, text, { flag: 'wx', mode: mode ?? 0o666, signal, flush: true });
    if (mode !== undefined) {
      // The umask may have taken some of the permissions away.
      await chmod(unfinished, mode);
    }
    await rename(unfinished, realPath);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw cannotWrite(path, error);
  }
};
