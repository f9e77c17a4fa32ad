import { randomUUID } from 'node:crypto';
import { lstatSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from './errors.ts';
import { type Terminal, visibleLines } from './terminal.ts';

/** Mends the standard output of this process: all of a text is written, or its write fails. */
export const mendOutput = (stdout: NodeJS.WriteStream & { fd: number }): Terminal['stdout'] =>
  // To a file, Node's own stream writes once, and ignores that a full disk takes only half.
  stdout instanceof Socket ? stdout : Object.assign(stdout, { _write: writeWhole });

function writeWhole(
  this: { fd: number },
  chunk: Buffer,
  _encoding: BufferEncoding,
  done: (error?: Error) => void,
): void {
  try {
    writeFileSync(this.fd, chunk);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

/**
 * Writes to standard output, and waits until that and all before it is written.
 * @throws CliError if it cannot be
 */
export const write = async ({ stdout }: Pick<Terminal, 'stdout'>, text: string): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stdout.write(text, (error) => (error ? reject(notWritten(stdout.errored ?? error)) : resolve()));
  await promise;
};

/**
 * Prints the result of a command: the value in JSON with `--json`, else the text.
 * @throws CliError if it cannot be written
 */
export const print = (
  terminal: Terminal,
  { json }: { json?: boolean },
  value: unknown,
  text: string,
): Promise<void> => write(terminal, visibleLines(`${json ? toJson(value) : text}\n`));

/** A file that is being written, which only its owner can read. It is removed unless it becomes whole. */
export interface NewFile extends AsyncDisposable {
  /** Writes the whole text. */
  finish(text: string): Promise<void>;
}

/** Begins a file where there is none yet. */
export const newFile = (path: string): Promise<NewFile> => begin(path, path);

/**
 * Begins a file that takes the place of an old one once it is whole. Until then it has a name of its own,
 * because another export may be writing to the same place.
 * @throws CliError if it would take the place of a link, a folder or a device
 */
export const replacingFile = async (path: string): Promise<NewFile> => {
  const old = lstatSync(path, { throwIfNoEntry: false });
  if (old !== undefined && !old.isFile()) {
    throw new CliError(
      `${path} is not a regular file. If it is a link, name the file that it leads to.`,
    );
  }
  return begin(`${path}.${randomUUID()}`, path);
};

const begin = async (unfinished: string, path: string): Promise<NewFile> => {
  const file = await open(unfinished, 'wx', 0o600);
  let isWhole = false;
  return {
    finish: async (text) => {
      await file.writeFile(text);
      await file.sync();
      await rename(unfinished, path);
      isWhole = true;
    },
    [Symbol.asyncDispose]: async () => {
      await file.close();
      if (!isWhole) {
        await rm(unfinished);
      }
    },
  };
};

/** Returns the error for an output that has failed. */
export const notWritten = (cause: Error & { code?: string }): CliError => {
  const why = cause.code === 'EPIPE' ? 'whoever reads it left early' : cause.message;
  return new CliError(`Not all of the output was written: ${why}.`, { cause });
};
