import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { NotInvokedError } from '../../../local/lambda/function-error.ts';
import { ending, failureOf, serve, timeoutFor } from './fixture-function.ts';

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
      'throw at once': () => { throw new Error('at once'); },
      'throw later': async (stream) => { await begin(stream); throw new Error('later'); },
      exit: async (stream) => { await begin(stream); process.exit(5); },
      'be busy': async (stream) => { await begin(stream); for (;;); },
      'write 20 MB': (stream) => write(stream, 20),
      'write 201 MB': (stream) => write(stream, 201),
    };
    exports.handler = awslambda.streamifyResponse((way, stream) =>
      ways[way](awslambda.HttpResponseStream.from(stream, { statusCode: 200 })));`;
  const serveStream = (options: Parameters<typeof serve>[1]) => {
    const { invokeStreaming: open, logged } = serve(code, options);
    return { open, logged, read: async (way: string) => text(await open(way)) };
  };

  test.each([
    ['throw at once', 'at once'],
    ['throw later', 'later'],
    ['write 201 MB', 'The result is larger than 209715200 bytes.'],
  ])('may %s, which its reader learns of, and goes on', async (way, message) => {
    const { read } = serveStream({ maxInstances: 1 });
    const pid = await read('pid');
    expect(pid).toMatch(/^\{"statusCode":200\}\0{8}\d+$/);
    await expect(read(way)).rejects.toMatchObject(failureOf(message));
    expect(await read('pid')).toBe(pid);
  });

  test.each([
    ['exit', 'Runtime exited with error: exit status 5'],
    ['be busy', 'Task timed out after 1.00 seconds'],
  ])('may %s, which cuts its result off, and ends', async (way, reason) => {
    const { read, logged } = serveStream(timeoutFor(reason));
    await expect(read(way)).rejects.toMatchObject(failureOf('The function ended before its result.'));
    while (logged.length === 0) {
      await sleep(10);
    }
    expect(logged).toContainEqual(ending(reason));
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

  test('is held by readers that do not read, and rejects further ones', async () => {
    const { open, read } = serveStream({ maxInstances: 2, longestWait: 300 });
    const [leaving, late] = [await open('write 20 MB'), await open('write 20 MB')];
    await expect(open('pid')).rejects.toThrow('All 2 instances have been busy for 0.3 s.');
    leaving.destroy();
    // Its instance writes the rest of its 20 MB first, in a time that depends on the machine.
    const untilRead = (): Promise<string> =>
      read('pid').catch((error) => {
        expect(error).toBeInstanceOf(NotInvokedError);
        return untilRead();
      });
    expect(await untilRead()).toMatch(/\d+$/);
    expect((await text(late)).length).toBeGreaterThan(20 * 1024 * 1024);
  });
});
