import type { Chunks } from './reader.ts';

/**
 * Reads this many bytes, or all if there are fewer. Returns what was read, at least so many bytes,
 * as `start`, and as `chunks` everything from the beginning.
 */
export const readStart = async (
  source: Chunks,
  size: number,
): Promise<{ start: Buffer; chunks: AsyncGenerator<Buffer> }> => {
  const iterator = source[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let length = 0;
  while (length < size) {
    const { value, done } = await iterator.next();
    if (done) {
      break;
    }
    read.push(value);
    length += value.length;
  }
  const chunks = async function* () {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { start: Buffer.concat(read), chunks: chunks() };
};
