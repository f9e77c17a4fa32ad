import { once } from 'node:events';
import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { CliError } from '../../cli/cli-error.ts';
import type { Terminal } from '../../cli/terminal.ts';

/** Returns the size of a file, 0 for a device or a FIFO. */
const sizeOf = (path: string): number => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) {
    throw new CliError('invalid', `There is no file ${path}.`);
  }
  if (found.isDirectory()) {
    throw new CliError('invalid', `${path} is a directory.`);
  }
  return found.size;
};

/**
 * Returns the chunks of a file (`-` is standard input), and the fraction read so far, undefined if
 * the size is unknown.
 * @throws CliError if there is no such file, or it is a directory
 */
export const openInput = (terminal: Terminal, path: string) => {
  const isStdin = path === '-';
  const size = isStdin ? 0 : sizeOf(path);
  let file: ReadStream | undefined;
  // The file is opened only when it is read, because nobody would handle its errors before that.
  const chunks = async function* (): AsyncGenerator<Buffer> {
    if (!isStdin) {
      file = createReadStream(path);
      // Opening a FIFO waits for a writer. Until `signal` is read, below, Ctrl-C ends the process
      // and with it the wait.
      await once(file, 'open');
    }
    yield* addAbortSignal(terminal.signal, file ?? terminal.stdin);
  };
  return {
    input: chunks(),
    fraction: () => (file && size > 0 ? file.bytesRead / size : undefined),
  };
};
