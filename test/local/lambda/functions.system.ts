import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { Template } from '../../../infra/assembly/template.ts';
import { lambdaFunctions } from '../../../local/lambda/functions.ts';
import { optionsFor, startFunction, startStreaming } from '../../support/local/fixture-function.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

/** The largest buffered result in bytes, without the quotes of a JSON string. */
const limit = 6_291_556 - 2;

const pid = 'process.pid';
const anyPid = expect.any(Number);
const ofRequest = /^RequestId: [0-9a-f-]{36} Error: (.*)$/;

interface Row {
  /** What the function does, as the end of "a function may". */
  what: string;
  script: string;
  timeoutSeconds?: number;
  /** The result, or the message of the error. */
  result: unknown;
  /** The log lines: messages of console.log, or reasons why the instance has ended. */
  log?: string[];
  /** Whether the next invocation gets the same instance. */
  next: 'same' | 'new';
}

const rows: Row[] = [
  { what: 'return a value', script: '({ a: [1] })', result: { a: [1] }, next: 'same' },
  { what: 'return nothing', script: 'undefined', result: null, next: 'same' },
  { what: 'return 6 MB', script: `'x'.repeat(${limit})`, result: 'x'.repeat(limit), next: 'same' },
  {
    what: 'not return more',
    script: `'x'.repeat(${limit + 1})`,
    result: 'The result is larger than 6291556 bytes.',
    next: 'same',
  },
  {
    what: 'print, a line at a time',
    script:
      "process.stdout.write('one\\npl'); sleep(50).then(() => void process.stdout.write('ain\\n'))",
    result: null,
    log: ['one', 'plain'],
    next: 'same',
  },
  {
    what: 'log, which has the format of AWS',
    script: "console.log('a\\u2028b\\nc')",
    result: null,
    log: ['a\u2028b\nc'],
    next: 'same',
  },
  {
    what: 'exit, with last words without a line feed',
    script: "process.stdout.write('last', () => process.exit(3)); sleep(5_000)",
    result: 'Runtime exited with error: exit status 3',
    log: ['Runtime exited with error: exit status 3', 'last'],
    next: 'new',
  },
  {
    what: 'wait for a promise that nothing settles',
    script: 'new Promise(() => {})',
    result: 'Runtime exited without providing a reason',
    next: 'new',
  },
  {
    what: 'be killed',
    script: "process.kill(process.pid, 'SIGKILL'); sleep(5_000)",
    result: 'Runtime exited with error: SIGKILL',
    next: 'new',
  },
  {
    what: 'loop for ever',
    script: 'for (;;);',
    timeoutSeconds: 1,
    result: 'Task timed out after 1.00 seconds',
    next: 'new',
  },
];

/** Returns a log line as the rows have it: its message, its reason, or itself. */
const shown = (line: string): string => {
  const [, reason] = ofRequest.exec(line) ?? [];
  return reason ?? (line.startsWith('{') ? JSON.parse(line).message : line);
};

test.each(rows)('a function may $what', async (row) => {
  const { invoke, logged } = startFunction({ timeoutSeconds: row.timeoutSeconds ?? 30 });
  const before = await invoke(pid);
  const result = await invoke(row.script).catch(({ message }: Error) => message);
  expect(result).toStrictEqual(row.result);
  const after = await invoke(pid);
  expect([after, after === before]).toStrictEqual([anyPid, row.next === 'same']);
  const { log = row.next === 'same' ? [] : [String(row.result)] } = row;
  await until('the log', () => logged.length >= log.length);
  expect(logged.map(shown).sort()).toStrictEqual([...log].sort());
});

test('a function may throw, which is logged, and keeps its instance', async () => {
  const { invoke, logged } = startFunction();
  const before = await invoke(pid);
  await expect(invoke("throw new TypeError('wrong')")).rejects.toThrow(new Error('wrong'));
  expect(await invoke(pid)).toBe(before);
  await until('the log', () => logged.length > 0);
  expect(JSON.parse(logged[0] ?? '')).toStrictEqual({
    timestamp: expect.any(String),
    level: 'ERROR',
    requestId: expect.any(String),
    message: { errorType: 'TypeError', errorMessage: 'wrong', stackTrace: expect.any(Array) },
  });
});

test('a function gets the context of Lambda', async () => {
  const context = await startFunction().invoke(`({
    requestId: context.awsRequestId,
    functionArn: context.invokedFunctionArn,
    millisecondsLeft: context.getRemainingTimeInMillis(),
  })`);
  expect(context).toStrictEqual({
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:fixture',
    millisecondsLeft: expect.any(Number),
  });
  const { millisecondsLeft } = context as { millisecondsLeft: number };
  expect(millisecondsLeft).toBeGreaterThan(20_000);
  expect(millisecondsLeft).toBeLessThanOrEqual(30_000);
});

test.each([
  { what: 'throws', code: "throw new RangeError('no table');", message: 'no table' },
  {
    what: 'exits',
    code: 'process.exit(4);',
    message: 'Runtime exited with error: exit status 4',
  },
])('a function that $what at init fails each invocation', async ({ code, message }) => {
  const { invoke } = startFunction(optionsFor('buffered', code));
  await expect(invoke('')).rejects.toThrow(message);
  await expect(invoke('')).rejects.toThrow(message);
});

const streamPid = 'stream.write(String(process.pid)); stream.end();';
/** As for debuggers: a second instance could serve what comes before the first is free again. */
const oneInstance = { inspectPort: 0 };
const separator = '\0'.repeat(8);

test('a streamed result is the metadata, a separator and the payload', async () => {
  const { read } = startStreaming();
  expect(await read("stream.write('[1'); stream.end(']')")).toBe(
    `{"statusCode":200}${separator}[1]`,
  );
});

test.each([
  {
    what: 'throw',
    script: "begin().then(() => { throw new Error('late'); })",
    message: 'late',
    isSame: true,
  },
  {
    what: 'exit',
    script: 'begin().then(() => process.exit(5))',
    message: 'The function ended before its result.',
    isSame: false,
  },
])('a streaming function may $what halfway, of which its reader learns', async (row) => {
  const { read } = startStreaming(oneInstance);
  const before = await read(streamPid);
  await expect(read(row.script)).rejects.toThrow(new Error(row.message));
  expect((await read(streamPid)) === before).toBe(row.isSame);
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

describe('the functions of a template', () => {
  const { environment } = optionsFor();
  const properties = {
    Code: { S3Key: 'abc.zip' },
    Handler: environment._HANDLER,
    Environment: { Variables: { STAGE_NAME: 'test', AWS_ENDPOINT_URL_DYNAMODB: 'http://wrong' } },
    LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'DEBUG', LogGroup: 'log-group' },
    MemorySize: 512,
    Timeout: 7,
  };
  const template = {
    resources: () => new Map([['First01234567', properties]]),
    assetDirectory: (key: string) => (key === 'abc.zip' ? environment.LAMBDA_TASK_ROOT : ''),
  } as unknown as Template;

  test('have their environment from it, the tables of this machine, and no more', async () => {
    process.env.SECRET_OF_THE_SHELL = 'secret';
    const logged = Promise.withResolvers<string>();
    const functions = lambdaFunctions({
      template,
      dynamodbEndpoint: 'http://tables',
      log: logged.resolve,
    });
    const lambda = functions.get('First01234567');
    atEnd(() => lambda?.close());
    const left = Number(await lambda?.invoke('context.getRemainingTimeInMillis()'));
    expect(left).toBeGreaterThan(5_000);
    expect(left).toBeLessThanOrEqual(7_000);
    const { AWS_LAMBDA_RUNTIME_API, ...variables } = Object(
      await lambda?.invoke("console.log('hello'); process.env"),
    );
    delete process.env.SECRET_OF_THE_SHELL;
    expect(JSON.parse(await logged.promise)).toMatchObject({ message: 'hello' });
    expect(variables).toStrictEqual({
      STAGE_NAME: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://tables',
      AWS_LAMBDA_FUNCTION_NAME: 'First01234567',
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_LOG_GROUP_NAME: 'log-group',
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: 'DEBUG',
      // Set by our part of the runtime client.
      AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      LAMBDA_TASK_ROOT: environment.LAMBDA_TASK_ROOT,
      _HANDLER: environment._HANDLER,
      LANG: 'en_US.UTF-8',
      PATH: process.env.PATH,
      TZ: ':UTC',
    });
  });
});
