import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { CliError } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/** A file that a command reads. */
export interface Input {
  chunks: AsyncIterable<Buffer>;
  /** How much of it has been read, from 0 to 1; unknown of a stream. */
  fraction(): number | undefined;
}

/**
 * Opens a file, or standard input if it is `-`. Reading ends with an error when the terminal's signal is aborted.
 * @throws CliError if there is no such file
 */
export const openInput = async (
  { stdin, signal }: Pick<Terminal, 'stdin' | 'signal'>,
  path: string,
): Promise<Input> => {
  const found =
    path === '-'
      ? undefined
      : await stat(path).catch((error) => {
          throw error.code === 'ENOENT' ? new CliError('invalid', `There is no file ${path}.`) : error;
        });
  if (found?.isDirectory()) {
    throw new CliError('invalid', `${path} is a directory.`);
  }
  let bytesRead = 0;
  const chunks = async function* () {
    const stream: Readable = path === '-' ? stdin : createReadStream(path);
    for await (const chunk of addAbortSignal(signal, stream)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  return { chunks: chunks(), fraction: () => (found?.size ? bytesRead / found.size : undefined) };
};
