import { readStart } from './read-start.ts';
import type { Chunks } from './reader.ts';

const byteOrderMarks = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

const longestMark = 3;

const encodingOf = (start: Buffer): string | undefined => {
  const marks = Object.entries(byteOrderMarks);
  return marks.find(([, mark]) => mark.every((byte, i) => start[i] === byte))?.[0];
};

/**
 * Returns a text file as UTF-8 without a byte order mark. The mark tells UTF-16; without a mark,
 * the bytes stay as they are.
 */
export async function* toUtf8(bytes: Chunks): AsyncGenerator<Buffer> {
  const { start, chunks } = await readStart(bytes, longestMark);
  const encoding = encodingOf(start);
  if (encoding === undefined) {
    yield* chunks;
    return;
  }
  // It removes the mark.
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    yield Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  // Half a character at the end of the file becomes a replacement character.
  yield Buffer.from(decoder.decode());
}
