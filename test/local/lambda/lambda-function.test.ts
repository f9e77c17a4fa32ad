import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import pRetry from 'p-retry';
import { EventTooLargeError, NotInvokedError } from '../../../local/lambda/function-error.ts';
import { startInstance } from '../../../local/lambda/instance.ts';
import { type FunctionOptions, lambdaFunction } from '../../../local/lambda/lambda-function.ts';
import { atEnd } from '../../support/process/at-end.ts';

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:fixture';
const directory = mkdtempSync(join(tmpdir(), 'petstore-function-'));

/** Returns the options of an instance that runs this code. */
const optionsFor = (code: string) => {
  const name = randomUUID();
  writeFileSync(join(directory, `${name}.js`), code);
  const environment = {
    _HANDLER: `${name}.handler`,
    LAMBDA_TASK_ROOT: directory,
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
  };
  return { functionArn, environment, timeoutSeconds: 30, log: () => {} };
};

/** Returns a function that runs this code, and the lines that it logs. */
const serve = (code: string, options: Partial<FunctionOptions> = {}) => {
  const logged: string[] = [];
  const lambda = lambdaFunction({
    ...optionsFor(code),
    log: (line) => logged.push(line),
    ...options,
  });
  atEnd(lambda.close);
  return { ...lambda, logged };
};

const failureOf = (message: unknown) => ({ name: 'FunctionError', message });
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('a function', () => {
  /** The handler evaluates its event as code and returns the result. */
  const code = `
    const { setTimeout: sleep } = require('node:timers/promises');
    exports.handler = async (script, context) => eval(script);`;

  test("gets the context of its invocation, may return nothing, and logs in AWS's format, a line at a time", async () => {
    const { invoke, logged } = serve(code);
    const context =
      '[context.awsRequestId, context.invokedFunctionArn, context.getRemainingTimeInMillis()]';
    const [requestId, arn, left] = (await invoke(context)) as [string, string, number];
    expect([requestId, arn]).toEqual([uuid, functionArn]);
    expect(left).toBeGreaterThan(20_000);
    expect(left).toBeLessThanOrEqual(30_000);

    const log = "console.log('a\\u2028b\\nc'); process.stdout.write('pl');";
    expect(
      await invoke(`${log} sleep(50).then(() => void process.stdout.write('ain\\n'))`),
    ).toBeNull();
    while (logged.length < 2) {
      await sleep(10);
    }
    const [line = '', ...others] = logged;
    const record = {
      timestamp: expect.any(String),
      level: 'INFO',
      requestId: uuid,
      message: 'a\u2028b\nc',
    };
    expect([JSON.parse(line), others]).toEqual([record, ['plain']]);
  });

  test('may throw, and keeps its instance', async () => {
    const { invoke, logged } = serve(code, { maxInstances: 1 });
    const pid = await invoke('process.pid');
    await expect(invoke("throw new TypeError('wrong')")).rejects.toMatchObject(failureOf('wrong'));
    expect(await invoke('process.pid')).toBe(pid);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'ERROR', requestId: uuid },
    ]);
  });

  test.each([
    ['exit', 'process.exit(3)', 'Runtime exited with error: exit status 3'],
    [
      'wait for a promise that nothing settles',
      'new Promise(() => {})',
      'Runtime exited without providing a reason',
    ],
    ['loop forever', 'for (;;);', 'Task timed out after 1.00 seconds', 1],
  ])(
    'may %s, which ends its instance, and starts another',
    async (_what, script, message, timeoutSeconds = 30) => {
      const { invoke, logged } = serve(code, { maxInstances: 1, timeoutSeconds });
      await expect(invoke(script)).rejects.toMatchObject(failureOf(message));
      expect(logged).toContainEqual(
        expect.stringMatching(new RegExp(`^RequestId: [0-9a-f-]{36} Error: ${message}$`)),
      );
      expect(await invoke('process.pid')).toEqual(expect.any(Number));
    },
  );

  test.each([
    ['throws at init', "throw new RangeError('no table');", 'no table'],
    ['exits at init', 'process.exit(4);', 'Runtime exited with error: exit status 4'],
    [
      'takes too long at init',
      'for (;;);',
      'Init timed out after 0.50 seconds',
      { initSeconds: 0.5 },
    ],
    ['may have no instance', '', 'All 0 instances have been busy for 0 s.', { maxInstances: 0 }],
  ])('that %s fails each invocation', async (_how, failing, message, options: object = {}) => {
    const { invoke } = serve(failing, { maxInstances: 1, ...options });
    await expect(invoke('')).rejects.toMatchObject(failureOf(expect.stringContaining(message)));
    await expect(invoke('')).rejects.toMatchObject(failureOf(expect.stringContaining(message)));
  });

  test('uses one instance for consecutive invocations, and another for each concurrent invocation', async () => {
    const { invoke } = serve(code);
    const first = await invoke('process.pid');
    expect(await invoke('process.pid')).toBe(first);
    const slow = 'sleep(200).then(() => process.pid)';
    const together = await Promise.all([invoke(slow), invoke(slow)]);
    expect(new Set(together).size).toBe(2);
    expect(together).toContain(first);
    // A free instance is used again.
    expect(together).toContain(await invoke('process.pid'));
  });

  test('replaces an idle instance that has ended', async () => {
    const { invoke, logged } = serve(code, { maxInstances: 1 });
    const first = Number(await invoke('process.pid'));
    process.kill(first, 'SIGKILL');
    while (logged.length === 0) {
      await sleep(10);
    }
    expect(await invoke('process.pid')).not.toBe(first);
  });

  test('lets invocations wait, and serves them in order, as long as there is progress', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { invoke } = serve(code, { maxInstances: 1, longestWait: 1_000 });
    const order: number[] = [];
    const invocations = Array.from({ length: 12 }, async (_, n) => {
      await invoke('');
      order.push(n);
      jest.advanceTimersByTime(400);
    });
    await Promise.all(invocations);
    jest.useRealTimers();
    expect(order).toEqual([...order.keys()]);
  });

  test('accepts and returns at most 6 MB', async () => {
    const { invoke } = serve(code);
    // The quotes of the JSON string count, too.
    const invokeWith = (bytes: number) => invoke('7'.padEnd(bytes - 2));
    const resultOf = (bytes: number) => invoke(`'x'.repeat(${bytes - 2})`);
    expect(await resultOf(6_291_556)).toHaveLength(6_291_554);
    await expect(resultOf(6_291_557)).rejects.toThrow('The result is larger than 6291556 bytes.');
    expect(await invokeWith(6_291_556)).toBe(7);
    const tooLarge = {
      constructor: EventTooLargeError,
      message: 'The event is larger than 6291556 bytes.',
    };
    await expect(invokeWith(6_291_557)).rejects.toMatchObject(tooLarge);
  });

  test('fails when its process cannot be started', async () => {
    const { process: child, idle } = await startInstance(optionsFor(''));
    child.emit('error', new Error('spawn node EMFILE'));
    await expect(idle()).rejects.toMatchObject(failureOf('spawn node EMFILE'));
  });

  test('ends with the process that started it', async () => {
    const instance = await startInstance(optionsFor(`setInterval(() => {}, 1000);${code}`));
    await instance.idle();
    const ended = once(instance.process, 'exit');
    instance.process.disconnect();
    expect(await ended).toEqual([0, null]);
  });
});

describe('a function that streams', () => {
  const code = `
    const { pipeline } = require('node:stream/promises');
    exports.handler = awslambda.streamifyResponse(async (script, response) => {
      const stream = awslambda.HttpResponseStream.from(response, { statusCode: 200 });
      const begin = () => new Promise((resolve) => stream.write('a', () => setTimeout(resolve, 50)));
      await eval(script);
    });`;
  const pid = 'stream.write(String(process.pid)); stream.end();';
  const megabytes = (count: number) =>
    `pipeline(Array(${count}).fill(Buffer.alloc(1024 * 1024)), stream)`;
  const serveStream = (options: Partial<FunctionOptions>) => {
    const { invokeStreaming: open } = serve(code, { maxInstances: 1, ...options });
    return { open, read: async (script: string) => text(await open(script)) };
  };

  test.each([
    ['throw', "begin().then(() => { throw new Error('late'); })", 'late', true],
    ['write 201 MB', megabytes(201), 'The result is larger than 209715200 bytes.', true],
    ['exit', 'begin().then(() => process.exit(5))', 'The function ended before its result.', false],
  ])(
    'may %s, of which its reader learns, and continues to serve',
    async (_what, script, message, isSameInstance) => {
      const { read } = serveStream({});
      const first = await read(pid);
      expect(first).toMatch(/^\{"statusCode":200\}\0{8}\d+$/);
      await expect(read(script)).rejects.toMatchObject(failureOf(message));
      expect((await read(pid)) === first).toBe(isSameInstance);
    },
  );

  test('frees its instance when a reader leaves, before or after the first byte', async () => {
    const { open, read } = serveStream({});
    const first = await read(pid);
    for (const begun of [false, true, false, true]) {
      const result = await open(megabytes(20));
      await (begun && once(result, 'readable'));
      result.destroy();
    }
    expect(await read(pid)).toBe(first);
  });

  test('is kept busy by a reader that does not read, and rejects others until that reader reads', async () => {
    const { open, read } = serveStream({ longestWait: 1_000 });
    const late = await open(megabytes(20));
    const busy = {
      constructor: NotInvokedError,
      message: 'All 1 instances have been busy for 1 s.',
    };
    await expect(open(pid)).rejects.toMatchObject(busy);
    expect((await text(late)).length).toBeGreaterThan(20 * 1024 * 1024);
    // The instance is free once its runtime asks for another event. How soon it does depends on the
    // machine.
    const shouldRetry = ({ error }: { error: Error }) => error instanceof NotInvokedError;
    expect(await pRetry(() => read(pid), { retries: 60, minTimeout: 0, shouldRetry })).toMatch(
      /\d$/,
    );
  });
});
