import { CliError } from '../../cli/cli-error.ts';
import type { Entry, Problem } from '../entries/check-entry.ts';

/** The bytes of a file, in pieces of any size. */
export type Chunks = AsyncIterable<Buffer>;

/**
 * Called for each line or array element, with its number, counted from 1, and its entry or what is
 * wrong with it.
 */
export type OnEntry = (position: number, entry: Entry | Problem[]) => void;

export const invalid = (message: string): CliError => new CliError('invalid', message);

/**
 * The most bytes to hold in memory for one entry, far more than any entry has. Longer input is
 * rejected.
 */
export const longestEntry = 100_000;

/**
 * Passes chunks on. Throws if their reader does not reach the next line or element within
 * `longestEntry` bytes.
 */
export async function* limitEntrySize(
  chunks: Chunks,
  unit: 'Line' | 'Element',
  positionOfReader: () => number,
): AsyncGenerator<Buffer> {
  let last = 0;
  let length = 0;
  for await (const chunk of chunks) {
    yield chunk;
    const position = positionOfReader();
    length = position === last ? length + chunk.length : 0;
    last = position;
    if (length > longestEntry) {
      throw invalid(`${unit} ${last}: this is too long to be an entry.`);
    }
  }
}
