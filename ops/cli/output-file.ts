import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from './cli-error.ts';

/**
 * Returns what writes a text to a file: a regular file is replaced once all is written; anything else, such as a device,
 * is written to as it is.
 * @throws CliError, or an error of the file system, if it cannot be written
 */
export const openOutput = async (path: string): Promise<(text: Readable, signal: AbortSignal) => Promise<void>> => {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new CliError('invalid', `${path} is a directory.`);
  }
  await access(found ? target : dirname(target), constants.W_OK);
  if (found && !found.isFile()) {
    return (text, signal) => pipeline(text, createWriteStream(target), { signal });
  }
  const unfinished = `${target}.${randomUUID()}.unfinished`;
  return async (text, signal) => {
    try {
      // Never through a link that someone else has put there.
      await pipeline(text, createWriteStream(unfinished, { flags: 'wx', mode: found?.mode ?? 0o666 }), { signal });
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
};
