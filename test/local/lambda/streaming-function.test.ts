import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { NotInvokedError } from '../../../local/lambda/function-error.ts';
import { failureOf, serve } from './fixture-function.ts';

describe('a function that streams', () => {
  const code = `
    const write = async (stream, megabytes) => {
      for (let n = 0; n < megabytes; n++) {
        if (!stream.write(Buffer.alloc(1024 * 1024, 'x'))) await new Promise((resolve) => stream.once('drain', resolve));
      }
      stream.write(String(process.pid));
      stream.end();
    };
    const begin = (stream) => new Promise((resolve) => stream.write('a', () => setTimeout(resolve, 50)));
    const ways = {
      pid: (stream) => write(stream, 0),
      throw: async (stream) => { await begin(stream); throw new Error('late'); },
      exit: async (stream) => { await begin(stream); process.exit(5); },
      'write 20 MB': (stream) => write(stream, 20),
      'write 201 MB': (stream) => write(stream, 201),
    };
    exports.handler = awslambda.streamifyResponse((way, stream) =>
      ways[way](awslambda.HttpResponseStream.from(stream, { statusCode: 200 })));`;
  const serveStream = (options: Parameters<typeof serve>[1]) => {
    const { invokeStreaming: open } = serve(code, options);
    return { open, read: async (way: string) => text(await open(way)) };
  };

  test.each([
    ['throw', 'late'],
    ['write 201 MB', 'The result is larger than 209715200 bytes.'],
  ])('may %s, which its reader learns of, and goes on', async (way, message) => {
    const { read } = serveStream({ maxInstances: 1 });
    const pid = await read('pid');
    expect(pid).toMatch(/^\{"statusCode":200\}\0{8}\d+$/);
    await expect(read(way)).rejects.toMatchObject(failureOf(message));
    expect(await read('pid')).toBe(pid);
  });

  test('may exit, which cuts its result off', async () => {
    const { read } = serveStream({});
    await expect(read('exit')).rejects.toMatchObject(failureOf('The function ended before its result.'));
  });

  test('has its instance back when readers have left, before the first byte or after it', async () => {
    const { open, read } = serveStream({ maxInstances: 1 });
    const pid = await read('pid');
    for (const begun of [false, true, false, true]) {
      const result = await open('write 20 MB');
      await (begun && once(result, 'readable'));
      result.destroy();
    }
    expect(await read('pid')).toBe(pid);
  });

  test('is held by a reader that does not read, and rejects further ones until it does', async () => {
    const { open, read } = serveStream({ maxInstances: 1, longestWait: 1_000 });
    const late = await open('write 20 MB');
    const busy = { constructor: NotInvokedError, message: 'All 1 instances have been busy for 1 s.' };
    await expect(open('pid')).rejects.toMatchObject(busy);
    expect((await text(late)).length).toBeGreaterThan(20 * 1024 * 1024);
    // Its instance is free once the runtime asks for more, in a time that depends on the machine.
    const untilRead = (): Promise<string> =>
      read('pid').catch((error) => {
        expect(error).toBeInstanceOf(NotInvokedError);
        return untilRead();
      });
    expect(await untilRead()).toMatch(/\d$/);
  });
});
