import { buffer, text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Instance, startInstance } from '../../../local/lambda/instance.ts';
import { fixtureFunction } from './fixture-function.ts';

const instances: Instance[] = [];
afterEach(() => {
  for (const instance of instances.splice(0)) {
    instance.end();
  }
});

const start = async (...fixture: Parameters<typeof fixtureFunction>) => {
  const options = fixtureFunction(...fixture);
  const instance = await startInstance(options);
  instances.push(instance);
  return { instance, logged: options.logged };
};

/** The lines that are JSON. */
const records = (lines: string[]) => lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

describe('a function that loads', () => {
  const code = `
    const ways = {
      value: () => ({ deep: ['ü', 1] }),
      undefined: () => undefined,
      context: (context) => [context.awsRequestId, context.invokedFunctionArn, context.getRemainingTimeInMillis()],
      log: () => { console.log('a\\u2028b\\nc'); process.stdout.write('plain\\n'); },
      throw: () => { throw new TypeError('wrong'); },
      'throw a text': () => { throw 'text'; },
      'reject late': () => new Promise((_, reject) => setTimeout(reject, 50, new Error('late'))),
      bigint: () => 1n,
      circle: () => { const circle = {}; circle.circle = circle; return circle; },
      unhandled: () => { Promise.reject(new Error('nobody catches')); return new Promise((r) => setTimeout(r, 2000)); },
      uncaught: () => { setTimeout(() => { throw new Error('nobody catches'); }); return new Promise((r) => setTimeout(r, 2000)); },
      'exit 0': () => process.exit(0),
      'exit 3': () => process.exit(3),
      'nothing to wait for': () => new Promise(() => {}),
      slow: () => new Promise((resolve) => setTimeout(resolve, 60000)),
      busy: () => { for (;;); },
    };
    exports.handler = async (event, context) => ways[event](context);`;
  const invoke = async ({ instance }: Awaited<ReturnType<typeof start>>, event: string) => {
    await instance.idle();
    return text(await instance.invoke(JSON.stringify(event)));
  };

  test('returns what its handler returns, one event after the other', async () => {
    const started = await start(code);
    expect(await invoke(started, 'value')).toBe('{"deep":["ü",1]}');
    expect(await invoke(started, 'undefined')).toBe('null');
    const [requestId, arn, left] = JSON.parse(await invoke(started, 'context'));
    expect([requestId, arn]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/:function:function\d+$/),
    ]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(3_000);
  });

  test("logs in AWS's format, a line at a time", async () => {
    const started = await start(code);
    await invoke(started, 'log');
    await started.instance.idle();
    const plain = () => started.logged.includes('plain');
    while (!plain()) {
      await new Promise(setImmediate);
    }
    expect(started.logged).toHaveLength(2);
    expect(records(started.logged)).toEqual([
      { timestamp: expect.any(String), level: 'INFO', requestId: expect.any(String), message: 'a\u2028b\nc' },
    ]);
  });

  test.each([
    ['throw', 'wrong'],
    ['throw a text', 'text'],
    ['reject late', 'late'],
    ['bigint', 'Unable to stringify response body'],
    ['circle', 'Unable to stringify response body'],
  ])('goes on after a failure: %s', async (event, message) => {
    const started = await start(code);
    await expect(invoke(started, event)).rejects.toMatchObject({ name: 'FunctionError', message });
    expect(await invoke(started, 'value')).toBe('{"deep":["ü",1]}');
    expect(records(started.logged)).toEqual([
      expect.objectContaining({ level: 'ERROR', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    ]);
  });

  test.each([
    ['unhandled', 'Runtime exited with error: exit status 1'],
    ['uncaught', 'Runtime exited with error: exit status 1'],
    ['exit 0', 'Runtime exited without providing a reason'],
    ['exit 3', 'Runtime exited with error: exit status 3'],
    ['nothing to wait for', 'Runtime exited without providing a reason'],
    ['slow', 'Task timed out after 0.50 seconds'],
    ['busy', 'Task timed out after 0.50 seconds'],
  ])('ends: %s', async (event, message) => {
    const started = await start(code, { timeoutSeconds: /timed out/.test(message) ? 0.5 : 30 });
    await expect(invoke(started, event)).rejects.toMatchObject({ name: 'FunctionError', message });
    await expect(started.instance.idle()).rejects.toMatchObject({ message });
    expect(started.logged.at(-1)).toMatch(/^RequestId: [0-9a-f-]{36} Error: /);
    expect(started.logged.at(-1)).toContain(message);
  });
});

describe('a function that cannot be loaded', () => {
  test.each([
    ['throws', "throw new RangeError('no table');", 'no table'],
    ['is no JavaScript', 'exports.handler = (', 'SyntaxError: Unexpected end of input'],
    ['has no handler', 'exports.other = async () => {};', 'function\\d+.handler is undefined or not exported'],
    ['has a handler that is none', 'exports.handler = 7;', 'function\\d+.handler is not a function'],
    ['takes a callback', 'exports.handler = (event, context, callback) => callback();', 'callback-based function'],
    ['exits', 'process.exit(4);', 'Runtime exited with error: exit status 4'],
    ['takes too long', 'for (;;);', 'Init timed out after 0.50 seconds'],
  ])('because it %s fails at init', async (_how, code, message) => {
    const { instance } = await start(code, /timed out/.test(message) ? { initSeconds: 0.5 } : {});
    await expect(instance.idle()).rejects.toMatchObject({
      name: 'FunctionError',
      message: expect.stringMatching(message),
    });
  });
});

describe('a function that streams', () => {
  const code = `
    const metadata = { statusCode: 200 };
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const drained = (stream) => new Promise((resolve) => stream.once('drain', resolve));
    let written = 0;
    const write = async (stream, megabytes) => {
      for (written = 0; written < megabytes; written++) {
        if (!stream.write(megabyte)) await drained(stream);
      }
    };
    const ways = {
      all: async (stream) => { stream.write('a'); stream.end('b'); },
      'how much': async (stream) => { stream.write(String(written)); stream.end(); },
      'throw at once': () => { throw new Error('at once'); },
      'throw later': async (stream) => { stream.write('a'); await new Promise((r) => setTimeout(r, 50)); throw new Error('later'); },
      destroy: async (stream) => { stream.write('a'); await new Promise((r) => setTimeout(r, 50)); stream.destroy(); },
      exit: async (stream) => { stream.write('a'); setTimeout(() => process.exit(5), 50); await drained(stream); },
      slow: async (stream) => { stream.write('a'); await new Promise((r) => setTimeout(r, 60000)); },
      '50 MB': async (stream) => { await write(stream, 50); stream.end(); },
      '201 MB': async (stream) => { await write(stream, 201); stream.end(); },
    };
    exports.handler = awslambda.streamifyResponse((event, stream) =>
      ways[event](awslambda.HttpResponseStream.from(stream, metadata)));`;
  const open = async ({ instance }: Awaited<ReturnType<typeof start>>, event: string) => {
    await instance.idle();
    return instance.invoke(JSON.stringify(event));
  };
  const prelude = '{"statusCode":200}\0\0\0\0\0\0\0\0';

  test('begins with its metadata', async () => {
    expect(await text(await open(await start(code), 'all'))).toBe(`${prelude}ab`);
  });

  test.each([
    ['throw at once', 'at once'],
    ['throw later', 'later'],
    ['201 MB', 'The result is larger than 209715200 bytes.'],
  ])('goes on after a failure that its reader learns of: %s', async (event, message) => {
    const started = await start(code);
    await expect(buffer(await open(started, event))).rejects.toMatchObject({ name: 'FunctionError', message });
    expect(await text(await open(started, 'all'))).toBe(`${prelude}ab`);
  });

  test.each([
    ['destroy', /exit status 1$/],
    ['exit', /exit status 5$/],
    ['slow', /^Task timed out after 0.50 seconds$/],
  ])('ends, and its result breaks off: %s', async (event, message) => {
    const started = await start(code, { timeoutSeconds: /timed out/.test(String(message)) ? 0.5 : 30 });
    await expect(text(await open(started, event))).rejects.toMatchObject({ name: 'FunctionError' });
    await expect(started.instance.idle()).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  test('goes on to its end when its reader leaves', async () => {
    const started = await start(code);
    (await open(started, '50 MB')).destroy();
    expect(await text(await open(started, 'how much'))).toBe(`${prelude}50`);
  });

  test('waits for a reader that does not read', async () => {
    const started = await start(code, { timeoutSeconds: 60 });
    const result = await open(started, '50 MB');
    let idle = false;
    const ended = started.instance.idle().then(() => {
      idle = true;
    });
    // Some megabytes are on their way; all of them would take a tenth of this.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(idle).toBe(false);
    expect(await buffer(result)).toHaveLength(prelude.length + 50 * 1024 * 1024);
    await ended;
  });
});

test('ends with the process that started it', async () => {
  const { instance } = await start('setInterval(() => {}, 1000); exports.handler = async () => {};');
  await instance.idle();
  const ended = new Promise((resolve) => instance.process.once('exit', resolve));
  instance.process.disconnect();
  expect(await ended).toBe(0);
});
