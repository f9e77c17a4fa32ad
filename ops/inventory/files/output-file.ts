import { randomUUID } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { access, chmod, constants, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../../cli/cli-error.ts';
import { type Terminal, untilInterrupted } from '../../cli/terminal.ts';

type Write = (text: Iterable<string>) => Promise<void>;

/**
 * Returns a function that writes a text to a file (`-` is standard output). It replaces or creates
 * a regular file once everything is written. It writes directly to anything else, such as a device.
 * Until that function is called, nothing is opened, created or changed.
 * @throws CliError if the path cannot be written, as does the function that is returned
 */
export const openOutput = async (terminal: Terminal, path: string): Promise<Write> => {
  if (path === '-') {
    return (text) => writeToStdout(terminal, text);
  }
  const write = await naming(path, () => openFile(terminal, path));
  return (text) => naming(path, () => write(text));
};

/** Names the path in errors of the file system, which may name none, or the one of a part. */
const naming = async <Result>(path: string, act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined
      ? error
      : new CliError('invalid', `Cannot write ${path}: ${message}.`, { cause: error });
  }
};

const openFile = async (terminal: Terminal, path: string): Promise<Write> => {
  const found = statSync(path, { throwIfNoEntry: false });
  assertTakesText(path, found);
  if (found && !isReplaceable(path, found)) {
    await access(path, constants.W_OK);
    return (text) => appendTo(terminal, path, text);
  }
  const target = followLinks(path);
  await assertReplaceable(target, found);
  return (text) => replace(terminal, target, text, found?.mode);
};

const assertTakesText = (path: string, found: Stats | undefined): void => {
  if (found?.isDirectory()) {
    throw new CliError('invalid', `${path} is a directory.`);
  }
  if (found?.isSocket()) {
    throw new CliError('invalid', `${path} is a socket.`);
  }
  if (!found && path.endsWith('/')) {
    throw new CliError('invalid', `There is no directory ${path}.`);
  }
};

/** Below /dev and /proc, a regular file is one that is open already, such as standard error. */
const isReplaceable = (path: string, found: Stats): boolean =>
  found.isFile() && !/^\/(dev|proc)\//.test(path);

/** Returns the path that a link, or a chain of links, leads to, even if there is nothing yet. */
const followLinks = (path: string): string => {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path))) : path;
};

/** Throws unless a file can be created beside the target, and then take its place. */
const assertReplaceable = async (target: string, found: Stats | undefined): Promise<void> => {
  const directory = dirname(target);
  await access(directory, constants.W_OK | constants.X_OK);
  if (!found) {
    return;
  }
  await access(target, constants.W_OK);
  // Windows has no such users.
  const user = process.geteuid?.();
  if (user !== undefined && !mayReplace(user, found, statSync(directory))) {
    throw new CliError('invalid', `${target} belongs to another user, who alone may replace it.`);
  }
};

const stickyBit = 0o1000;
const root = 0;

/**
 * Whether a user may replace a file in a directory in which they may create files. In a directory
 * such as /tmp, they may replace only their own.
 */
export const mayReplace = (
  user: number,
  file: { uid: number },
  directory: { uid: number; mode: number },
): boolean => {
  const isSticky = (directory.mode & stickyBit) !== 0;
  return !isSticky || [root, directory.uid, file.uid].includes(user);
};

const writeToStdout = ({ stdout, signal }: Terminal, text: Iterable<string>): Promise<void> =>
  pipeline(text, stdout, { end: false, signal }).catch((error: NodeJS.ErrnoException) => {
    // runProgram reports write errors of standard output.
    if (error.syscall !== 'write') {
      throw error;
    }
  });

/** Opening a FIFO waits for a reader, which Ctrl-C ends. */
const appendTo = (terminal: Terminal, path: string, text: Iterable<string>): Promise<void> =>
  untilInterrupted(terminal, writeFile(path, text, { flag: 'a', signal: terminal.signal }));

const replace = async (
  { signal }: Terminal,
  target: string,
  text: Iterable<string>,
  mode: number | undefined,
): Promise<void> => {
  const unfinished = join(dirname(target), `petstore-${randomUUID()}.unfinished`);
  try {
    // The flag wx refuses to write through a link that someone else has put there.
    await writeFile(unfinished, text, { flag: 'wx', mode: mode ?? 0o666, signal });
    if (mode !== undefined) {
      // Restore the mode bits that the umask has cleared.
      await chmod(unfinished, mode);
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};
