import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, lstatSync, statSync } from 'node:fs';
import { access, chmod, constants, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
export const openInput = (terminal: Terminal, path: string) => {
  const size = path === '-' ? 0 : lookAt(path)?.size;
  if (size === undefined) {
    throw new CliError('invalid', `There is no file ${path}.`);
  }
  let bytesRead = 0;
  // Not opened before it is read: until then, nobody would hear of its errors.
  const chunks = async function* (): AsyncGenerator<Buffer> {
    const stream = path === '-' ? terminal.stdin : createReadStream(path);
    // As long as a FIFO has no writer, Ctrl-C ends the process: nothing else can end that wait.
    await (path !== '-' && once(stream, 'open'));
    for await (const chunk of addAbortSignal(terminal.signal, stream)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  return { input: chunks(), fraction: () => (size > 0 ? bytesRead / size : undefined) };
};

/**
 * Returns what writes a text to a file, or to standard output if it is `-`: a regular file is replaced once all is
 * written; anything else, such as a device or a link to nothing, is written to as it is.
 * @throws CliError, or an error of the file system, if it cannot be written
 */
export const openOutput = async ({ stdout, signal }: Terminal, path: string) => {
  if (path === '-') {
    // The program itself tells of errors of standard output.
    const unlessOwn = (error: NodeJS.ErrnoException) => (error.syscall === 'write' ? undefined : Promise.reject(error));
    return (text: Iterable<string>) => pipeline(text, stdout, { end: false, signal }).catch(unlessOwn);
  }
  const found = lookAt(path);
  const isReplaced = found ? found.isFile() : !lstatSync(path, { throwIfNoEntry: false });
  const target = found?.isFile() ? await realpath(path) : path;
  await access(found ? target : dirname(target), constants.W_OK);
  return async (text: Iterable<string>): Promise<void> => {
    if (!isReplaced) {
      return await writeFile(target, text, { signal });
    }
    const unfinished = `${target}.${randomUUID()}.unfinished`;
    try {
      // Never through a link that someone else has put there.
      await writeFile(unfinished, text, { flag: 'wx', mode: found?.mode ?? 0o666, signal });
      // Back to what the umask has taken away.
      await (found && chmod(unfinished, found.mode));
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
};
