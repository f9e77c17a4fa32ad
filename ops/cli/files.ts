import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, lstatSync, type ReadStream, statSync } from 'node:fs';
import { access, chmod, constants, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from './cli-error.ts';
import { type Terminal, untilInterrupted } from './terminal.ts';

const statFile = (path: string) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new CliError('invalid', `${path} is a directory.`);
  }
  return found;
};

/**
 * Returns the chunks of a file (`-` is standard input), and the fraction read so far, undefined if
 * the size is unknown.
 * @throws CliError if there is no such file, or it is a directory
 */
export const openInput = (terminal: Terminal, path: string) => {
  const size = path === '-' ? 0 : statFile(path)?.size;
  if (size === undefined) {
    throw new CliError('invalid', `There is no file ${path}.`);
  }
  let file: ReadStream | undefined;
  // The file is opened only when it is read, because nobody would handle its errors before that.
  const chunks = async function* (): AsyncGenerator<Buffer> {
    file = path === '-' ? undefined : createReadStream(path);
    // Opening a FIFO waits for a writer. Until `signal` is read, below, Ctrl-C ends the process and
    // with it the wait.
    await (file && once(file, 'open'));
    yield* addAbortSignal(terminal.signal, file ?? terminal.stdin);
  };
  return {
    input: chunks(),
    fraction: () => (file && size > 0 ? file.bytesRead / size : undefined),
  };
};

/**
 * Returns a function that writes a text to a file (`-` is standard output). It replaces or creates
 * a regular file once everything is written. It writes directly to anything else, such as a device
 * or a dangling link.
 * @throws CliError if the path is a directory, or the error of the file system if the path cannot
 * be written
 */
export const openOutput = async (terminal: Terminal, path: string) => {
  const { stdout, signal } = terminal;
  if (path === '-') {
    // runProgram reports write errors of standard output.
    const unlessOwn = (error: NodeJS.ErrnoException) =>
      error.syscall === 'write' ? undefined : Promise.reject(error);
    return (text: Iterable<string>) =>
      pipeline(text, stdout, { end: false, signal }).catch(unlessOwn);
  }
  const found = statFile(path);
  // Below /dev and /proc, a regular file is one that is open already, such as standard error.
  const isFile = found?.isFile() && !/^\/(dev|proc)\//.test(path);
  const isReplaced = isFile || !lstatSync(path, { throwIfNoEntry: false });
  const target = isFile ? await realpath(path) : path;
  await access(found ? target : dirname(target), constants.W_OK);
  return async (text: Iterable<string>): Promise<void> => {
    if (!isReplaced) {
      return await untilInterrupted(terminal, writeFile(path, text, { flag: 'a', signal }));
    }
    const unfinished = `${target}.${randomUUID()}.unfinished`;
    try {
      // The flag wx refuses to write through a link that someone else has put there.
      await writeFile(unfinished, text, { flag: 'wx', mode: found?.mode ?? 0o666, signal });
      // Restore the mode bits that the umask has cleared.
      await (found && chmod(unfinished, found.mode));
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
};
