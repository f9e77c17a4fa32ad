import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import {
  startFunction,
  streaming,
  streamMegabytes,
  streamPid,
} from '../../support/local/fixture-function.ts';

/** Starts a function that streams, with one instance. */
const start = () => {
  const { invokeStreaming: open } = startFunction(streaming, { reservedConcurrency: 1 });
  return { open, read: async (script: string) => text(await open(script)) };
};

test('a streamed result is the metadata, a separator and the payload', async () => {
  const { read } = start();
  expect(await read(streamPid)).toMatch(/^\{"statusCode":200\}\0{8}\d+$/);
});

describe('a streamed result', () => {
  const limit = 200 * 1024 * 1024;
  const metadata = '{"statusCode":200}'.length + 8;
  const megabytes = 'Array(199).fill(Buffer.alloc(1024 * 1024))';
  /** A script that streams 199 MB, and then what is missing to this number of bytes. */
  const streamBytes = (bytes: number) =>
    `pipeline([...${megabytes}, Buffer.alloc(${bytes - metadata - 199 * 1024 * 1024})], stream)`;

  const lengthOf = async (result: Readable): Promise<number> => {
    let bytes = 0;
    for await (const chunk of result) {
      bytes += chunk.length;
    }
    return bytes;
  };

  test('may have 200 MB', async () => {
    expect(await lengthOf(await start().open(streamBytes(limit)))).toBe(limit);
  });

  test('may not have a byte more', async () => {
    const result = await start().open(streamBytes(limit + 1));
    await expect(lengthOf(result)).rejects.toMatchObject({
      name: 'FunctionError',
      message: 'The result is larger than 209715200 bytes.',
    });
  });
});

test.each([
  {
    what: 'throw',
    script: "begin().then(() => { throw new Error('late'); })",
    reason: 'late',
    isSameInstance: true,
  },
  {
    what: 'write too much',
    script: streamMegabytes(201),
    reason: 'The result is larger than 209715200 bytes.',
    isSameInstance: true,
  },
  {
    what: 'exit',
    script: 'begin().then(() => process.exit(5))',
    reason: 'The function ended before its result.',
    isSameInstance: false,
  },
])('a streaming function may $what, of which its reader learns, and goes on', async (row) => {
  const { read } = start();
  const first = await read(streamPid);
  await expect(read(row.script)).rejects.toMatchObject({
    name: 'FunctionError',
    message: row.reason,
  });
  expect((await read(streamPid)) === first).toBe(row.isSameInstance);
});

test.each([
  { when: 'before the first byte is read', hasBegun: false },
  { when: 'after the first byte', hasBegun: true },
])('an instance is free again after its reader has left $when', async ({ hasBegun }) => {
  const { open, read } = start();
  const first = await read(streamPid);
  const result = await open(streamMegabytes(20));
  if (hasBegun) {
    await once(result, 'readable');
  }
  result.destroy();
  expect(await read(streamPid)).toBe(first);
});
