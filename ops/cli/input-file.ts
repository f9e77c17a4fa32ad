import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { CliError } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/**
 * Opens a file, or standard input if it is `-`: its chunks, and what fraction of it has been read, unknown of a stream.
 * Reading ends with an error when the terminal's signal is aborted.
 * @throws CliError if there is no such file
 */
export const openInput = async ({ stdin, signal }: Terminal, path: string) => {
  const ofFile = async () => {
    const found = await stat(path).catch((error) => {
      throw error.code === 'ENOENT' ? new CliError('invalid', `There is no file ${path}.`) : error;
    });
    if (found.isDirectory()) {
      throw new CliError('invalid', `${path} is a directory.`);
    }
    return found.size;
  };
  const size = path === '-' ? 0 : await ofFile();
  let bytesRead = 0;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    const stream: Readable = path === '-' ? stdin : createReadStream(path);
    for await (const chunk of addAbortSignal(signal, stream)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  return { chunks: chunks(), fraction: () => (size > 0 ? bytesRead / size : undefined) };
};
