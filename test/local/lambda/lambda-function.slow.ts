import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { EventTooLargeError, FunctionError } from '../../../local/lambda/function-error.ts';
import { evaluating, functionArn, startFunction } from '../../support/local/fixture-function.ts';

/** The largest event or result in bytes. */
const limit = 6_291_556;
/** The bytes of a JSON string's quotes. */
const quotes = 2;

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const failureOf = (message: unknown) => ({ name: 'FunctionError', message });

/** Waits until a function has logged this many lines. */
const loggedLines = async (logged: string[], count: number): Promise<string[]> => {
  while (logged.length < count) {
    await sleep(10);
  }
  return logged;
};

describe('a handler', () => {
  test('gets the context of Lambda', async () => {
    const { invoke } = startFunction(evaluating, { timeoutSeconds: 30 });
    const script = `({
      requestId: context.awsRequestId,
      functionArn: context.invokedFunctionArn,
      millisecondsLeft: context.getRemainingTimeInMillis(),
    })`;
    const context = (await invoke(script)) as { millisecondsLeft: number };
    expect(context).toEqual({ requestId: uuid, functionArn, millisecondsLeft: expect.any(Number) });
    expect(context.millisecondsLeft).toBeGreaterThan(20_000);
    expect(context.millisecondsLeft).toBeLessThanOrEqual(30_000);
  });

  test('may return nothing', async () => {
    const { invoke } = startFunction(evaluating);
    expect(await invoke('undefined')).toBeNull();
  });

  test('may throw, and keeps its instance', async () => {
    const { invoke, logged } = startFunction(evaluating, { reservedConcurrency: 1 });
    const pid = await invoke('process.pid');
    await expect(invoke("throw new TypeError('wrong')")).rejects.toMatchObject(failureOf('wrong'));
    expect(await invoke('process.pid')).toBe(pid);
    const [line = ''] = await loggedLines(logged, 1);
    expect(JSON.parse(line)).toMatchObject({ level: 'ERROR', requestId: uuid });
  });

  test.each([
    {
      what: 'exit',
      script: 'process.exit(3)',
      reason: 'Runtime exited with error: exit status 3',
    },
    {
      what: 'wait for a promise that nothing settles',
      script: 'new Promise(() => {})',
      reason: 'Runtime exited without providing a reason',
    },
    {
      what: 'be killed',
      script: "process.kill(process.pid, 'SIGKILL'); sleep(5_000)",
      reason: 'Runtime exited with error: SIGKILL',
    },
    {
      what: 'loop forever',
      script: 'for (;;);',
      reason: 'Task timed out after 1.00 seconds',
      timeoutSeconds: 1,
    },
  ])('may $what, which ends its instance, and starts another', async (row) => {
    const { script, reason, timeoutSeconds = 30 } = row;
    const options = { reservedConcurrency: 1, timeoutSeconds };
    const { invoke, logged } = startFunction(evaluating, options);
    await expect(invoke(script)).rejects.toMatchObject(failureOf(reason));
    expect(logged).toEqual([
      expect.stringMatching(new RegExp(`^RequestId: [0-9a-f-]{36} Error: ${reason}$`)),
    ]);
    expect(await invoke('process.pid')).toEqual(expect.any(Number));
  });
});

describe('an invocation', () => {
  test('may have an event of 6 MB', async () => {
    const { invoke } = startFunction(evaluating);
    expect(await invoke('7'.padEnd(limit - quotes))).toBe(7);
  });

  test('may not have a larger event', async () => {
    const { invoke } = startFunction(evaluating);
    await expect(invoke('7'.padEnd(limit - quotes + 1))).rejects.toMatchObject({
      constructor: EventTooLargeError,
      message: 'The event is larger than 6291556 bytes.',
    });
  });

  test('may return 6 MB', async () => {
    const { invoke } = startFunction(evaluating);
    expect(await invoke(`'x'.repeat(${limit - quotes})`)).toHaveLength(limit - quotes);
  });

  test('may not return more', async () => {
    const { invoke } = startFunction(evaluating);
    await expect(invoke(`'x'.repeat(${limit - quotes + 1})`)).rejects.toMatchObject({
      constructor: FunctionError,
      message: 'The result is larger than 6291556 bytes.',
    });
  });
});

describe('the log of a function', () => {
  test("has AWS's format", async () => {
    const { invoke, logged } = startFunction(evaluating);
    await invoke("console.log('a\\u2028b\\nc')");
    const [line = ''] = await loggedLines(logged, 1);
    expect(JSON.parse(line)).toEqual({
      timestamp: expect.any(String),
      level: 'INFO',
      requestId: uuid,
      message: 'a\u2028b\nc',
    });
  });

  test('is passed on a line at a time', async () => {
    const { invoke, logged } = startFunction(evaluating);
    const write = (text: string) => `process.stdout.write(${JSON.stringify(text)})`;
    await invoke(`${write('one\npl')}; sleep(50).then(() => void ${write('ain\nthree\n')})`);
    expect(await loggedLines(logged, 3)).toEqual(['one', 'plain', 'three']);
  });

  test('has what the process wrote last, even without a line feed', async () => {
    const { invoke, logged } = startFunction(evaluating);
    const ending = "process.stdout.write('last', () => process.exit(3)); sleep(5_000)";
    await expect(invoke(ending)).rejects.toThrow('exit status 3');
    expect(await loggedLines(logged, 2)).toContain('last');
  });
});

test.each([
  { what: 'throws', code: "throw new RangeError('no table');", reason: /^no table/ },
  {
    what: 'exits',
    code: 'process.exit(4);',
    reason: /^Runtime exited with error: exit status 4$/,
  },
  {
    what: 'takes too long',
    code: 'for (;;);',
    reason: /^Init timed out after 0.50 seconds$/,
    initSeconds: 0.5,
  },
])('a function that $what at init fails each invocation', async (row) => {
  const { code, reason, initSeconds = 10 } = row;
  const { invoke } = startFunction(code, { reservedConcurrency: 1, initSeconds });
  const failure = failureOf(expect.stringMatching(reason));
  await expect(invoke('')).rejects.toMatchObject(failure);
  await expect(invoke('')).rejects.toMatchObject(failure);
});
