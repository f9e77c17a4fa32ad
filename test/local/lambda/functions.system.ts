// What a function may do in a process of its own, and what becomes of the process.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { Template } from '../../../local/assembly/template.ts';
import { lambdaFunctions } from '../../../local/lambda/functions.ts';
import { Instance } from '../../../local/lambda/instance.ts';
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts';
import { optionsFor, startFunction, startStreaming } from '../../support/local/fixture-function.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

afterEach(() => void jest.useRealTimers());
/** Lets a test move the time limits of functions, whose processes have their own time. */
const fakeTimers = () =>
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

const pid = 'process.pid';

/** A second instance could serve what comes before the first is free again. */
const oneInstance = { limit: 1 };

interface Row {
  /** What the function does, as the end of "a function may". */
  what: string;
  script: string;
  /** What it returns, or the message of the error. */
  result?: unknown;
  /** The messages of its log lines. */
  log?: unknown[];
  /** Why its instance has ended, if it has: then the message of the error, and a log line. */
  end?: string;
}

const rows: Row[] = [
  { what: 'return a value', script: '({ a: [1] })', result: { a: [1] } },
  {
    what: 'print, a line at a time',
    script:
      "process.stdout.write('one\\npl'); sleep(50).then(() => void process.stdout.write('ain\\n'))",
    result: null,
    log: ['one', 'plain'],
  },
  {
    what: 'log, which has the format of AWS',
    script: "console.log('a\\u2028b\\nc')",
    result: null,
    log: ['a\u2028b\nc'],
  },
  {
    what: 'throw, which is logged',
    script: "throw new TypeError('wrong')",
    result: 'wrong',
    log: [{ errorType: 'TypeError', errorMessage: 'wrong', stackTrace: expect.any(Array) }],
  },
  {
    what: 'exit, with last words without a line feed',
    script: "process.stdout.write('last', () => process.exit(3)); new Promise(() => {})",
    log: ['last'],
    end: 'Runtime exited with error: exit status 3',
  },
  {
    what: 'wait for a promise that nothing settles',
    script: 'new Promise(() => {})',
    end: 'Runtime exited without providing a reason',
  },
  {
    what: 'be killed',
    script: "process.kill(process.pid, 'SIGKILL'); for (;;);",
    end: 'Runtime exited with error: SIGKILL',
  },
];

/** Returns the message of a log line, or the reason for the end of an instance. */
const messageOf = (line: string): unknown => {
  const [, reason] = /^RequestId: [0-9a-f-]{36} Error: (.*)$/.exec(line) ?? [];
  return reason ?? (line.startsWith('{') ? JSON.parse(line).message : line);
};

test.each(rows)('a function may $what', async ({ script, end, result = end, log = [] }) => {
  const { invoke, logged } = startFunction();
  const before = await invoke(pid);
  expect(await invoke(script).catch(({ message }: Error) => message)).toStrictEqual(result);
  expect((await invoke(pid)) === before).toBe(end === undefined);
  const lines = [...log, ...(end === undefined ? [] : [end])];
  await until('the log', () => logged.length >= lines.length);
  expect(logged.map(messageOf).sort()).toStrictEqual(lines.sort());
});

test('a function may take all of its time, and no more', async () => {
  fakeTimers();
  const { lambda, invoke, logged } = startFunction();
  lambda.release(await lambda.acquire());
  const invocation = invoke('for (;;);').catch(({ message }: Error) => message);
  await nextTurn();
  jest.advanceTimersByTime(29_999);
  expect(await Promise.race([invocation, nextTurn('running')])).toBe('running');
  jest.advanceTimersByTime(1);
  expect(await invocation).toBe('Task timed out after 30.00 seconds');
  expect(logged.map(messageOf)).toStrictEqual(['Task timed out after 30.00 seconds']);
});

test('init has ten seconds', async () => {
  fakeTimers();
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const instance = await Instance.start({ ...optionsFor('buffered', 'for (;;);'), log });
  jest.advanceTimersByTime(10_000);
  await expect(instance.idle()).rejects.toThrow(new Error('Init timed out after 10.00 seconds'));
  expect(logged).toStrictEqual(['RequestId: - Error: Init timed out after 10.00 seconds']);
});

test.each([
  { what: 'throws', code: "throw new Error('no table');", message: 'no table' },
  { what: 'exits', code: 'process.exit(4);', message: 'Runtime exited with error: exit status 4' },
])('a function that $what at init fails each invocation, also one that waits', async (row) => {
  // The second waits until the first has failed.
  const { invoke } = startFunction({ ...optionsFor('buffered', row.code), ...oneInstance });
  const messages = [invoke(''), invoke('')].map((each) => each.catch(({ message }) => message));
  expect(await Promise.all(messages)).toStrictEqual([row.message, row.message]);
});

const streamPid = 'stream.write(String(process.pid)); stream.end();';

test('a streaming function may throw halfway, of which its reader learns, and keeps its instance', async () => {
  const { read } = startStreaming(oneInstance);
  const before = await read(streamPid);
  const script =
    "new Promise((sent) => stream.write('a', sent)).then(() => { throw new Error('late'); })";
  await expect(read(script)).rejects.toThrow(new Error('late'));
  expect(await read(streamPid)).toBe(before);
});

test('a streaming function may be killed halfway, of which its reader learns, and is replaced', async () => {
  const { open, read } = startStreaming(oneInstance);
  const before = await read(streamPid);
  const result = await open("stream.write('a'); sleep(1e8)");
  process.kill(Number(/\d+$/.exec(before)), 'SIGKILL');
  await expect(text(result)).rejects.toThrow(new Error('The function ended before its result.'));
  expect(await read(streamPid)).not.toBe(before);
});

test.each([
  { when: 'before the first byte is read', hasBegun: false },
  { when: 'after the first byte', hasBegun: true },
])('an instance is free again after its reader has left $when', async ({ hasBegun }) => {
  const { open, read } = startStreaming(oneInstance);
  const before = await read(streamPid);
  const result = await open('pipeline(megabytes(20), stream)');
  if (hasBegun) {
    await once(result, 'readable');
  }
  result.destroy();
  expect(await read(streamPid)).toBe(before);
});

test('instances serve one invocation each, at most ten, and others wait in their turn', async () => {
  const { lambda } = startFunction();
  const acquired = await Promise.all(Array.from({ length: 10 }, () => lambda.acquire()));
  expect(new Set(acquired).size).toBe(10);
  const [first, last] = [acquired[0], acquired[9]] as [Instance, Instance];
  const [eleventh, twelfth] = [lambda.acquire(), lambda.acquire()];
  lambda.release(last);
  expect((await eleventh) === last).toBe(true);
  lambda.release(first);
  expect((await twelfth) === first).toBe(true);
  lambda.release(first);
  lambda.release(last);
  expect((await lambda.acquire()) === last).toBe(true);
});

test('an instance that ends while nobody uses it is replaced', async () => {
  const { lambda } = startFunction();
  const instance = await lambda.acquire();
  lambda.release(instance);
  instance.process.kill('SIGKILL');
  await once(instance.process, 'exit');
  expect((await lambda.acquire()).process.pid).not.toBe(instance.process.pid);
});

test('an instance that was killed as it became idle is replaced, though its process has not ended yet', async () => {
  const { lambda } = startFunction();
  const instance = await lambda.acquire();
  instance.end();
  lambda.release(instance);
  expect((await lambda.acquire()).process.pid).not.toBe(instance.process.pid);
});

test('instances are new after a renewal, but a busy one ends only after its invocation', async () => {
  const { lambda, invoke } = startFunction();
  const before = await Promise.all([invoke(pid), invoke(pid)]);
  const busy = invoke(pid);
  lambda.renew();
  expect(before).toContain(await busy);
  const after = await Promise.all([invoke(pid), invoke(pid)]);
  expect(after.filter((each) => before.includes(each))).toStrictEqual([]);
});

test('instances end with their function, also one that is being started, and say nothing', async () => {
  const { lambda, invoke, logged } = startFunction();
  const instance = await lambda.acquire();
  lambda.release(instance);
  const end = once(instance.process, 'exit');
  const invocations = Promise.allSettled([invoke('for (;;);'), invoke(pid)]);
  lambda.close();
  const outcomes = (await invocations).map(({ status }) => status);
  expect(outcomes).toStrictEqual(['rejected', 'rejected']);
  expect(await end).toStrictEqual([null, 'SIGKILL']);
  expect(logged).toStrictEqual([]);
});

test('nothing is started for an invocation that waits when the function is closed', async () => {
  const { lambda } = startFunction(oneInstance);
  const instance = await lambda.acquire();
  const waiting = lambda.acquire();
  lambda.close();
  lambda.release(instance);
  await expect(waiting).rejects.toThrow(new Error('The function is closed.'));
});

test('an instance outlives a Ctrl-C, which reaches it as well, but not the process that started it', async () => {
  const instance = await Instance.start(optionsFor());
  await instance.idle();
  instance.process.kill('SIGINT');
  await instance.invoke('"1 + 1"');
  await instance.idle();
  expect(instance.process.exitCode).toBeNull();
  instance.process.disconnect();
  expect(await once(instance.process, 'exit')).toStrictEqual([0, null]);
});

test('a function of a template has its environment and time limit, the local tables, and no more', async () => {
  const { environment } = optionsFor();
  const { _HANDLER: Handler, LAMBDA_TASK_ROOT } = environment;
  const properties = {
    Code: { S3Key: 'abc.zip' },
    Handler,
    Environment: { Variables: { STAGE_NAME: 'test', AWS_ENDPOINT_URL_DYNAMODB: 'http://wrong' } },
    LoggingConfig: { LogFormat: 'JSON', LogGroup: 'log-group' },
    MemorySize: 512,
    Timeout: 900,
  };
  const template = {
    resources: () => new Map([['First01234567', properties]]),
    assetDirectory: (key: string) => (key === 'abc.zip' ? LAMBDA_TASK_ROOT : ''),
  } as unknown as Template;
  process.env.SECRET_OF_THE_SHELL = 'secret';
  const functions = lambdaFunctions({
    template,
    dynamodbEndpoint: 'http://tables',
    log: () => {},
  });
  const lambda = functions.get('First01234567') as LambdaFunction;
  atEnd(() => lambda.close());
  const script = '[process.env, context.invokedFunctionArn, context.getRemainingTimeInMillis()]';
  const [variables, arn, timeLeft] = (await lambda.invoke(script)) as [object, string, number];
  delete process.env.SECRET_OF_THE_SHELL;
  expect(arn).toBe('arn:aws:lambda:us-east-1:000000000000:function:First01234567');
  expect(Math.ceil(timeLeft / 60_000)).toBe(15);
  expect(variables).toStrictEqual({
    ...environment,
    STAGE_NAME: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://tables',
    AWS_LAMBDA_RUNTIME_API: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    AWS_LAMBDA_FUNCTION_NAME: 'First01234567',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
    AWS_LAMBDA_LOG_LEVEL: 'INFO',
    // Set by our part of the runtime client.
    AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    LANG: 'en_US.UTF-8',
    PATH: process.env.PATH,
    TZ: ':UTC',
  });
});
