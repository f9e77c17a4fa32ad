import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { EventTooLargeError, NotInvokedError } from '../../../local/lambda/function-error.ts';
import { type FunctionOptions, type LambdaFunction, lambdaFunction } from '../../../local/lambda/lambda-function.ts';
import { fixtureFunction } from './fixture-function.ts';

const functions: LambdaFunction[] = [];
afterEach(() => {
  for (const lambda of functions.splice(0)) {
    lambda.close();
  }
});

const serve = (code: string, options: Partial<FunctionOptions> = {}): LambdaFunction => {
  const lambda = lambdaFunction(fixtureFunction(code, options));
  functions.push(lambda);
  return lambda;
};

/** Returns its process id after so many milliseconds, or what the event says. */
const pid = `exports.handler = async (event) => {
  if (event.exit) process.exit(1);
  if (event.bytes) return 'x'.repeat(event.bytes - 2);
  await new Promise((resolve) => setTimeout(resolve, event.wait ?? 0));
  return process.pid;
};`;

describe('a function', () => {
  test('uses one instance for one invocation after the other, and another for each that is under way', async () => {
    const lambda = serve(pid);
    const first = await lambda.invoke({});
    expect(await lambda.invoke({})).toBe(first);
    const together = await Promise.all([lambda.invoke({ wait: 200 }), lambda.invoke({ wait: 200 })]);
    expect(new Set(together).size).toBe(2);
    expect(together).toContain(first);
    // The one used last, which is the likeliest to be warm.
    expect(together).toContain(await lambda.invoke({}));
  });

  test('replaces an instance that has ended', async () => {
    const lambda = serve(pid, { maxInstances: 1 });
    const first = Number(await lambda.invoke({}));
    await expect(lambda.invoke({ exit: true })).rejects.toThrow('exit status 1');
    const second = Number(await lambda.invoke({}));
    expect(second).not.toBe(first);
    // It may be found out only when it is invoked.
    process.kill(second, 'SIGKILL');
    await lambda.invoke({}).catch(() => {});
    expect(await lambda.invoke({})).not.toBe(second);
  });

  test('that fails at init is tried again for each invocation', async () => {
    const lambda = serve("throw new Error('no table');", { maxInstances: 1 });
    await expect(lambda.invoke({})).rejects.toThrow('no table');
    await expect(lambda.invoke({})).rejects.toThrow('no table');
  });

  test('lets invocations wait, the first come first, as long as there is progress', async () => {
    const lambda = serve(pid, { maxInstances: 1, longestWait: 500 });
    await lambda.invoke({});
    const order: number[] = [];
    const invocations = Array.from({ length: 8 }, (_, n) => lambda.invoke({ wait: 100 }).then(() => order.push(n)));
    await Promise.all(invocations);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);

    const long = lambda.invoke({ wait: 1_500 });
    await expect(lambda.invoke({})).rejects.toThrow(NotInvokedError);
    await long;
    expect(await lambda.invoke({})).toEqual(expect.any(Number));
  });

  test('takes and returns at most 6 MB', async () => {
    const lambda = serve(pid);
    const eventOf = (bytes: number) => ({ filler: 'x'.repeat(bytes - '{"filler":""}'.length) });
    expect(await lambda.invoke({ bytes: 6_291_556 })).toHaveLength(6_291_554);
    await expect(lambda.invoke({ bytes: 6_291_557 })).rejects.toThrow('The result is larger than 6291556 bytes.');
    expect(await lambda.invoke(eventOf(6_291_556))).toEqual(expect.any(Number));
    const tooLarge = { constructor: EventTooLargeError, message: 'The event is larger than 6291556 bytes.' };
    await expect(lambda.invoke(eventOf(6_291_557))).rejects.toMatchObject(tooLarge);
  });
});

describe('a function that streams', () => {
  const megabytes = `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
    for (let n = 0; n < event.megabytes; n++) {
      if (!stream.write(Buffer.alloc(1024 * 1024, 'x'))) await new Promise((resolve) => stream.once('drain', resolve));
    }
    stream.write(String(process.pid));
    stream.end();
  });`;

  test('has its instance back when readers have left, before the first byte or after it', async () => {
    const lambda = serve(megabytes, { maxInstances: 1 });
    const first = await text(await lambda.invokeStreaming({ megabytes: 0 }));
    for (const begun of [false, true, false, true]) {
      const result = await lambda.invokeStreaming({ megabytes: 20 });
      await (begun && once(result, 'readable'));
      result.destroy();
    }
    expect(await text(await lambda.invokeStreaming({ megabytes: 0 }))).toBe(first);
  });

  test('is held by readers that do not read, and rejects further ones', async () => {
    const lambda = serve(megabytes, { maxInstances: 2, longestWait: 300, timeoutSeconds: 30 });
    const silent = [await lambda.invokeStreaming({ megabytes: 20 }), await lambda.invokeStreaming({ megabytes: 20 })];
    await expect(lambda.invokeStreaming({ megabytes: 0 })).rejects.toThrow('All 2 instances have been busy for 0.3 s.');
    silent[0]?.destroy();
    // Its instance writes the rest of its 20 MB first, in a time that depends on the machine.
    const untilInvoked = (): Promise<Readable> =>
      lambda.invokeStreaming({ megabytes: 0 }).catch((error) => {
        expect(error).toBeInstanceOf(NotInvokedError);
        return untilInvoked();
      });
    expect(await text(await untilInvoked())).toMatch(/^\d+$/);
  });
});
