import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { EventTooLargeError } from '../../../local/lambda/function-error.ts';
import { startInstance } from '../../../local/lambda/instance.ts';
import { failureOf, functionArn, optionsFor, serve } from './fixture-function.ts';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('a function', () => {
  const code = `
    const ways = {
      context: (context) => [context.awsRequestId, context.invokedFunctionArn, context.getRemainingTimeInMillis()],
      log: () => {
        console.log('a\\u2028b\\nc');
        process.stdout.write('pl');
        return new Promise((resolve) => setTimeout(() => process.stdout.write('ain\\n', () => resolve()), 50));
      },
      throw: () => { throw new TypeError('wrong'); },
      exit: () => process.exit(3),
      'wait for nothing': () => new Promise(() => {}),
      'be busy': () => { for (;;); },
    };
    exports.handler = async (event, context) => {
      if (event.way) return ways[event.way](context);
      if (event.bytes) return 'x'.repeat(event.bytes - 2);
      await new Promise((resolve) => setTimeout(resolve, event.wait ?? 0));
      return process.pid;
    };`;

  test("gets the context of its invocation, may return nothing, and logs in AWS's format, a line at a time", async () => {
    const { invoke, logged } = serve(code);
    const [requestId, arn, left] = (await invoke({ way: 'context' })) as [string, string, number];
    expect([requestId, arn]).toEqual([uuid, functionArn]);
    expect(left).toBeGreaterThan(20_000);
    expect(left).toBeLessThanOrEqual(30_000);

    expect(await invoke({ way: 'log' })).toBeNull();
    while (logged.length < 2) {
      await sleep(10);
    }
    const [line = '', ...others] = logged;
    const record = { timestamp: expect.any(String), level: 'INFO', requestId: uuid, message: 'a\u2028b\nc' };
    expect([JSON.parse(line), others]).toEqual([record, ['plain']]);
  });

  test('may throw, and goes on', async () => {
    const { invoke, logged } = serve(code, { maxInstances: 1 });
    const pid = await invoke({});
    await expect(invoke({ way: 'throw' })).rejects.toMatchObject(failureOf('wrong'));
    expect(await invoke({})).toBe(pid);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'ERROR', requestId: uuid }]);
  });

  test.each([
    ['exit', 'Runtime exited with error: exit status 3'],
    ['wait for nothing', 'Runtime exited without providing a reason'],
    ['be busy', 'Task timed out after 1.00 seconds', 1],
  ])('may %s, which ends its instance, and goes on in another', async (way, message, timeoutSeconds = 30) => {
    const { invoke, logged } = serve(code, { maxInstances: 1, timeoutSeconds });
    await expect(invoke({ way })).rejects.toMatchObject(failureOf(message));
    expect(logged).toContainEqual(expect.stringMatching(new RegExp(`^RequestId: [0-9a-f-]{36} Error: ${message}$`)));
    expect(await invoke({})).toEqual(expect.any(Number));
  });

  test.each([
    ['throws', "throw new RangeError('no table');", 'no table'],
    ['exits', 'process.exit(4);', 'Runtime exited with error: exit status 4'],
    ['takes too long', 'for (;;);', 'Init timed out after 0.50 seconds', 0.5],
  ])('that %s fails at init, for each invocation', async (_how, failing, message, initSeconds = 10) => {
    const { invoke } = serve(failing, { maxInstances: 1, initSeconds });
    await expect(invoke({})).rejects.toMatchObject(failureOf(expect.stringContaining(message)));
    await expect(invoke({})).rejects.toMatchObject(failureOf(expect.stringContaining(message)));
  });

  test('uses one instance for one invocation after the other, and another for each that is under way', async () => {
    const { invoke } = serve(code);
    const first = await invoke({});
    expect(await invoke({})).toBe(first);
    const together = await Promise.all([invoke({ wait: 200 }), invoke({ wait: 200 })]);
    expect(new Set(together).size).toBe(2);
    expect(together).toContain(first);
    // The one used last, which is the likeliest to be warm.
    expect(together).toContain(await invoke({}));
  });

  test('replaces an idle instance that has ended', async () => {
    const { invoke, logged } = serve(code, { maxInstances: 1 });
    const first = Number(await invoke({}));
    process.kill(first, 'SIGKILL');
    while (logged.length === 0) {
      await sleep(10);
    }
    expect(await invoke({})).not.toBe(first);
  });

  test('lets invocations wait, the first come first, as long as there is progress', async () => {
    const { invoke } = serve(code, { maxInstances: 1, longestWait: 1_000 });
    await invoke({});
    const order: number[] = [];
    await Promise.all(Array.from({ length: 12 }, (_, n) => invoke({ wait: 100 }).then(() => order.push(n))));
    expect(order).toEqual([...order.keys()]);
  });

  test('takes and returns at most 6 MB', async () => {
    const { invoke } = serve(code);
    const eventOf = (bytes: number) => ({ filler: 'x'.repeat(bytes - '{"filler":""}'.length) });
    expect(await invoke({ bytes: 6_291_556 })).toHaveLength(6_291_554);
    await expect(invoke({ bytes: 6_291_557 })).rejects.toThrow('The result is larger than 6291556 bytes.');
    expect(await invoke(eventOf(6_291_556))).toEqual(expect.any(Number));
    const tooLarge = { constructor: EventTooLargeError, message: 'The event is larger than 6291556 bytes.' };
    await expect(invoke(eventOf(6_291_557))).rejects.toMatchObject(tooLarge);
  });

  test('ends with the process that started it', async () => {
    const instance = await startInstance(optionsFor(`setInterval(() => {}, 1000);${code}`));
    await instance.idle();
    const ended = new Promise((resolve) => instance.process.once('exit', resolve));
    instance.process.disconnect();
    expect(await ended).toBe(0);
  });
});
