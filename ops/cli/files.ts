import { randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { access, constants, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { CliError } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

const lookAt = (path: string) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new CliError('invalid', `${path} is a directory.`);
  }
  return found;
};

/**
 * Opens a file, or standard input if it is `-`, and tells what fraction of it has been read, unknown of a stream.
 * @throws CliError if there is no such file
 */
export const openInput = ({ stdin, signal }: Terminal, path: string) => {
  const size = path === '-' ? 0 : lookAt(path)?.size;
  if (size === undefined) {
    throw new CliError('invalid', `There is no file ${path}.`);
  }
  let bytesRead = 0;
  // Not opened before it is read: until then, nobody would hear of its errors, nor of Ctrl-C.
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of addAbortSignal(signal, path === '-' ? stdin : createReadStream(path))) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  return { input: chunks(), fraction: () => (size > 0 ? bytesRead / size : undefined) };
};

/**
 * Returns what writes a text to a file: a regular file is replaced once all is written; anything else, such as a device,
 * is written to as it is.
 * @throws CliError, or an error of the file system, if it cannot be written
 */
export const openOutput = async ({ signal }: Terminal, path: string) => {
  const found = lookAt(path);
  const target = found?.isFile() ? await realpath(path) : path;
  await access(found ? target : dirname(target), constants.W_OK);
  return async (text: Iterable<string>): Promise<void> => {
    if (found && !found.isFile()) {
      return await writeFile(target, text, { signal });
    }
    const unfinished = `${target}.${randomUUID()}.unfinished`;
    try {
      // Never through a link that someone else has put there.
      await writeFile(unfinished, text, { flag: 'wx', mode: found?.mode ?? 0o666, signal });
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
};
