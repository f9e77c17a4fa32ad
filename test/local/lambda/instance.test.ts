import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instance, startInstance } from '../../../local/lambda/instance.ts';
import { fixtureFunction } from './fixture-function.ts';

const instances: Instance[] = [];
afterAll(() => instances.forEach((instance) => void instance.end()));

const start = async (...fixture: Parameters<typeof fixtureFunction>) => {
  const options = fixtureFunction(...fixture);
  const instance = await startInstance(options);
  instances.push(instance);
  const open = async (event: string) => {
    await instance.idle();
    return instance.invoke(JSON.stringify(event));
  };
  return { instance, logged: options.logged, open, invoke: async (event: string) => text(await open(event)) };
};

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
/** Half a second where the function is to take too long. */
const timeoutFor = (message: string | RegExp) => ({ timeoutSeconds: /timed out/.test(String(message)) ? 0.5 : 30 });

describe('a function that loads', () => {
  const code = `
    const ways = {
      value: () => ({ deep: ['ü', 1] }),
      undefined: () => undefined,
      context: (context) => [context.awsRequestId, context.invokedFunctionArn, context.getRemainingTimeInMillis()],
      log: () => {
        console.log('a\\u2028b\\nc');
        process.stdout.write('pl');
        return new Promise((resolve) => setTimeout(() => process.stdout.write('ain\\n', resolve), 50));
      },
      throw: () => { throw new TypeError('wrong'); },
      'throw a text': () => { throw 'text'; },
      'reject late': () => new Promise((_, reject) => setTimeout(reject, 50, new Error('late'))),
      bigint: () => 1n,
      unhandled: () => { Promise.reject(new Error('nobody catches')); return new Promise((r) => setTimeout(r, 2000)); },
      'exit 0': () => process.exit(0),
      'exit 3': () => process.exit(3),
      'nothing to wait for': () => new Promise(() => {}),
      slow: () => new Promise((resolve) => setTimeout(resolve, 60000)),
      busy: () => { for (;;); },
    };
    exports.handler = async (event, context) => ways[event](context);`;
  let started: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    started = await start(code);
  });
  /** What has been logged since; lines that are JSON are parsed. */
  const logged = () => started.logged.splice(0).map((line) => (line.startsWith('{') ? JSON.parse(line) : line));

  test('returns what its handler returns, one event after the other', async () => {
    expect(await started.invoke('value')).toBe('{"deep":["ü",1]}');
    expect(await started.invoke('undefined')).toBe('null');
    const [requestId, arn, left] = JSON.parse(await started.invoke('context'));
    expect([requestId, arn]).toEqual([uuid, expect.stringMatching(/:function:function\d+$/)]);
    expect(left).toBeGreaterThan(1_000);
    expect(left).toBeLessThanOrEqual(3_000);
  });

  test("logs in AWS's format, a line at a time", async () => {
    await started.invoke('log');
    while (!started.logged.includes('plain')) {
      await sleep(10);
    }
    const message = 'a\u2028b\nc';
    expect(logged()).toEqual([{ timestamp: expect.any(String), level: 'INFO', requestId: uuid, message }, 'plain']);
  });

  test.each([
    ['throw', 'wrong'],
    ['throw a text', 'text'],
    ['reject late', 'late'],
    ['bigint', 'Unable to stringify response body'],
  ])('goes on after a failure: %s', async (event, message) => {
    await expect(started.invoke(event)).rejects.toMatchObject({ name: 'FunctionError', message });
    expect(await started.invoke('value')).toBe('{"deep":["ü",1]}');
    expect(logged()).toEqual([expect.objectContaining({ level: 'ERROR', requestId: uuid })]);
  });

  test.each([
    ['unhandled', 'Runtime exited with error: exit status 1'],
    ['exit 0', 'Runtime exited without providing a reason'],
    ['exit 3', 'Runtime exited with error: exit status 3'],
    ['nothing to wait for', 'Runtime exited without providing a reason'],
    ['slow', 'Task timed out after 0.50 seconds'],
    ['busy', 'Task timed out after 0.50 seconds'],
  ])('ends: %s', async (event, message) => {
    const { instance, invoke, logged } = await start(code, timeoutFor(message));
    await expect(invoke(event)).rejects.toMatchObject({ name: 'FunctionError', message });
    await expect(instance.idle()).rejects.toMatchObject({ message });
    expect(logged.at(-1)).toMatch(new RegExp(`^RequestId: [0-9a-f-]{36} Error: ${message}$`));
  });
});

test.each([
  ['throws', "throw new RangeError('no table');", 'no table'],
  ['is no JavaScript', 'exports.handler = (', 'SyntaxError: Unexpected end of input'],
  ['has no handler', 'exports.other = async () => {};', 'function\\d+.handler is undefined or not exported'],
  ['takes a callback', 'exports.handler = (event, context, callback) => callback();', 'callback-based function'],
  ['exits', 'process.exit(4);', 'Runtime exited with error: exit status 4'],
  ['takes too long', 'for (;;);', 'Init timed out after 0.50 seconds'],
])('a function that %s fails at init', async (_how, code, message) => {
  const { instance } = await start(code, /timed out/.test(message) ? { initSeconds: 0.5 } : {});
  const failure = { name: 'FunctionError', message: expect.stringMatching(message) };
  await expect(instance.idle()).rejects.toMatchObject(failure);
});

describe('a function that streams', () => {
  const code = `
    const drained = (stream) => new Promise((resolve) => stream.once('drain', resolve));
    let written = 0;
    const write = async (stream, megabytes) => {
      const megabyte = Buffer.alloc(1024 * 1024, 'x');
      for (written = 0; written < megabytes; written++) {
        if (!stream.write(megabyte)) await drained(stream);
      }
      stream.end();
    };
    const soon = () => new Promise((resolve) => setTimeout(resolve, 50));
    const ways = {
      all: async (stream) => { stream.write('a'); stream.end('b'); },
      'how much': async (stream) => { stream.write(String(written)); stream.end(); },
      'throw at once': () => { throw new Error('at once'); },
      'throw later': async (stream) => { stream.write('a'); await soon(); throw new Error('later'); },
      destroy: async (stream) => { stream.write('a'); await soon(); stream.destroy(); },
      exit: async (stream) => { stream.write('a'); await soon(); process.exit(5); },
      slow: async (stream) => { stream.write('a'); await new Promise((resolve) => setTimeout(resolve, 60000)); },
      '50 MB': (stream) => write(stream, 50),
      '201 MB': (stream) => write(stream, 201),
    };
    exports.handler = awslambda.streamifyResponse((event, stream) =>
      ways[event](awslambda.HttpResponseStream.from(stream, { statusCode: 200 })));`;
  const prelude = '{"statusCode":200}\0\0\0\0\0\0\0\0';

  test.each([
    ['throw at once', 'at once'],
    ['throw later', 'later'],
    ['201 MB', 'The result is larger than 209715200 bytes.'],
  ])('goes on after a failure that its reader learns of: %s', async (event, message) => {
    const { open, invoke } = await start(code);
    await expect(buffer(await open(event))).rejects.toMatchObject({ name: 'FunctionError', message });
    expect(await invoke('all')).toBe(`${prelude}ab`);
  });

  const brokenOff = 'The function ended before its result.';
  test.each([
    ['destroy', /exit status 1$/],
    ['exit', /exit status 5$/],
    ['slow', /^Task timed out after 0.50 seconds$/],
  ])('ends, and its result breaks off: %s', async (event, message) => {
    const { instance, invoke } = await start(code, timeoutFor(message));
    await expect(invoke(event)).rejects.toMatchObject({ name: 'FunctionError', message: brokenOff });
    await expect(instance.idle()).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  test('waits for a reader that does not read, and goes on to its end without one', async () => {
    const { instance, open, invoke } = await start(code, { timeoutSeconds: 60 });
    expect(await invoke('all')).toBe(`${prelude}ab`);
    const size = prelude.length + 50 * 1024 * 1024;
    const before = performance.now();
    expect(await buffer(await open('50 MB'))).toHaveLength(size);
    const duration = performance.now() - before;

    const result = await open('50 MB');
    const ended = instance.idle().then(() => 'ended');
    expect(await Promise.race([ended, sleep(3 * duration, 'waiting')])).toBe('waiting');
    expect(await buffer(result)).toHaveLength(size);
    expect(await ended).toBe('ended');

    (await open('50 MB')).destroy();
    expect(await invoke('how much')).toBe(`${prelude}50`);
  });
});

test('ends with the process that started it', async () => {
  const { instance } = await start('setInterval(() => {}, 1000); exports.handler = async () => {};');
  await instance.idle();
  const ended = new Promise((resolve) => instance.process.once('exit', resolve));
  instance.process.disconnect();
  expect(await ended).toBe(0);
});
