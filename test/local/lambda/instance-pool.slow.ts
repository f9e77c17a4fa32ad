import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import pRetry from 'p-retry';
import { NotInvokedError } from '../../../local/lambda/function-error.ts';
import { InstancePool, type PoolOptions } from '../../../local/lambda/instance-pool.ts';
import {
  evaluating,
  optionsFor,
  startFunction,
  streaming,
  streamMegabytes,
  streamPid,
} from '../../support/local/fixture-function.ts';
import { atEnd } from '../../support/process/at-end.ts';

const poolOf = (options: Partial<PoolOptions> = {}): InstancePool => {
  const pool = new InstancePool({ ...optionsFor(evaluating), ...options });
  atEnd(() => pool.close());
  return pool;
};

test('an instance that has been released is used again, the last one first', async () => {
  const pool = poolOf();
  const [first, second] = [await pool.acquire(), await pool.acquire()];
  expect(second).not.toBe(first);
  pool.release(second);
  pool.release(first);
  expect(await pool.acquire()).toBe(first);
  expect(await pool.acquire()).toBe(second);
});

test('an instance that ended while it was idle is replaced', async () => {
  const pool = poolOf({ reservedConcurrency: 1 });
  const first = await pool.acquire();
  pool.release(first);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  expect((await pool.acquire()).process.pid).not.toBe(first.process.pid);
});

test('an instance that ended before it was released is replaced', async () => {
  const pool = poolOf({ reservedConcurrency: 1 });
  const first = await pool.acquire();
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  pool.release(first);
  expect((await pool.acquire()).process.pid).not.toBe(first.process.pid);
});

test.each([
  { reservedConcurrency: 2, most: 2 },
  { reservedConcurrency: undefined, most: 10 },
  { reservedConcurrency: 11, most: 10 },
])('with a concurrency of $reservedConcurrency, there are at most $most instances', async (row) => {
  const longestWait = 500;
  const pool = poolOf({ reservedConcurrency: row.reservedConcurrency, longestWait });
  const acquired = Array.from({ length: row.most }, () => pool.acquire());
  await Promise.all(acquired);
  await expect(pool.acquire()).rejects.toMatchObject({
    constructor: NotInvokedError,
    message: `All ${row.most} instances have been busy for 0.5 s.`,
  });
});

test('with a concurrency of 0, each invocation is rejected at once and logged', async () => {
  const log = jest.fn();
  const pool = poolOf({ reservedConcurrency: 0, log });
  const reason = 'All 0 instances have been busy for 0 s.';
  await expect(pool.acquire()).rejects.toThrow(reason);
  expect(log.mock.calls).toEqual([[`Error: ${reason}`]]);
});

test('an instance that fails at init leaves its turn to the next', async () => {
  const code = "throw new RangeError('no table');";
  const pool = new InstancePool({ ...optionsFor(code), reservedConcurrency: 1 });
  await expect(pool.acquire()).rejects.toThrow('no table');
  await expect(pool.acquire()).rejects.toThrow('no table');
});

test('after an invocation was rejected, others wait again', async () => {
  const pool = poolOf({ reservedConcurrency: 1, longestWait: 200 });
  const instance = await pool.acquire();
  await expect(pool.acquire()).rejects.toThrow('busy');
  const waiting = pool.acquire();
  pool.release(instance);
  expect(await waiting).toBe(instance);
});

test('instances that run at the same time serve one invocation each', async () => {
  const { invoke } = startFunction(evaluating);
  const first = await invoke('process.pid');
  expect(await invoke('process.pid')).toBe(first);
  const slow = 'sleep(200).then(() => process.pid)';
  const together = await Promise.all([invoke(slow), invoke(slow)]);
  expect(new Set(together).size).toBe(2);
  expect(together).toContain(first);
});

test('all instances end with the pool', async () => {
  const pool = poolOf();
  const instances = [await pool.acquire(), await pool.acquire()];
  pool.release(instances[0] as (typeof instances)[number]);
  const exits = instances.map((instance) => once(instance.process, 'exit'));
  pool.close();
  expect(await Promise.all(exits)).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ]);
});

describe('an invocation waits as long as there is progress', () => {
  const longestWait = 1_000;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => void jest.useRealTimers());

  test('of others, and is served in its turn', async () => {
    const { invoke } = startFunction(evaluating, { reservedConcurrency: 1, longestWait });
    const order: number[] = [];
    const invocations = Array.from({ length: 12 }, async (_, n) => {
      await invoke('');
      order.push(n);
      jest.advanceTimersByTime(longestWait * 0.4);
    });
    await Promise.all(invocations);
    expect(order).toEqual([...order.keys()]);
  });

  test('with a cold start', async () => {
    const pool = poolOf({ reservedConcurrency: 1, longestWait });
    const starting = pool.acquire();
    const waiting = pool.acquire();
    jest.advanceTimersByTime(longestWait * 0.9);
    const instance = await starting;
    jest.advanceTimersByTime(longestWait * 0.9);
    pool.release(instance);
    expect(await waiting).toBe(instance);
  });
});

test('a reader that does not read keeps its instance busy until it reads', async () => {
  const { invokeStreaming } = startFunction(streaming, {
    reservedConcurrency: 1,
    longestWait: 1_000,
  });
  const late = await invokeStreaming(streamMegabytes(20));
  await expect(invokeStreaming(streamPid)).rejects.toMatchObject({
    constructor: NotInvokedError,
    message: 'All 1 instances have been busy for 1 s.',
  });
  expect((await text(late)).length).toBeGreaterThan(20 * 1024 * 1024);
  // The instance is free once its runtime asks for another event. How soon it does depends on the
  // machine.
  const shouldRetry = ({ error }: { error: Error }) => error instanceof NotInvokedError;
  const read = async () => text(await invokeStreaming(streamPid));
  expect(await pRetry(read, { retries: 60, minTimeout: 0, shouldRetry })).toMatch(/\d$/);
});
