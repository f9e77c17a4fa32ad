// How a write waits that others hold up. dynamodb-client.test.ts shows what is repeated otherwise. No
// real time passes: each test has a clock and timers of its own.
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { retryMiddleware } from '@smithy/core/retry';
import { RetryStrategy } from '../../../functions/dynamodb/retries.ts';
import { busyTime } from '../../../functions/shared/time-limits.ts';

/** Milliseconds of the test's clock. */
let now = 0;
let timers: { at: number; run: () => void }[] = [];
/** The waits that something has asked for, in their order. */
let waits: number[] = [];

beforeEach(() => {
  [now, timers, waits] = [0, [], []];
  jest.spyOn(process, 'uptime').mockImplementation(() => now / 1_000);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, wait: number) => {
    waits.push(wait);
    timers.push({ at: now + wait, run });
  }) as never);
});
afterEach(() => void jest.restoreAllMocks());

/** Lets this time of an attempt pass, which is no wait. */
const pass = (milliseconds: number) =>
  new Promise<void>((run) => void timers.push({ at: now + milliseconds, run }));

/** Sets the clock to what comes next, again and again, until all is done. */
const runClock = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) {
    await new Promise(setImmediate);
    timers.sort((one, other) => one.at - other.at);
    const next = timers.shift();
    now = next?.at ?? now;
    next?.run();
  }
};

/** Sends a command as the SDK does. */
const sendBy = (strategy: RetryStrategy, attempt: () => Promise<void>): Promise<unknown> => {
  const config = { retryStrategy: async () => strategy, maxAttempts: async () => 3 };
  const next = async () => {
    await attempt();
    return { response: {}, output: { $metadata: {} } };
  };
  return retryMiddleware(config as never)(next, {})({ input: {}, request: {} });
};

const conflict = new TransactionConflictException({ message: '', $metadata: {} });

describe('a write that others always hold up, and that needs 10 ms for each attempt', () => {
  /** Sends it. Returns its waits. */
  const waitsOf = async (patience?: number): Promise<number[]> => {
    const strategy = new RetryStrategy({ maxAttempts: 3, ...(patience && { patience }) });
    let error: unknown;
    sendBy(strategy, () => pass(10).then(() => Promise.reject(conflict))).catch((thrown) => {
      error = thrown;
    });
    await runClock(() => error !== undefined);
    expect(error).toBe(conflict);
    return waits;
  };

  test('waits ever longer, and is sent once more when its time ends', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const all = await waitsOf();
    expect(all.slice(0, 7)).toStrictEqual([50, 100, 200, 400, 800, 800, 800]);
    expect(now).toBe(busyTime + 10);
  });

  test('waits at random, and no longer than a limit of its own', async () => {
    jest.spyOn(Math, 'random').mockReturnValueOnce(0.2).mockReturnValue(0.5);
    expect(await waitsOf(95)).toStrictEqual([0.2 * 50, 0.5 * 100, 5]);
  });
});

/** Returns a Math.random() that is the same in each run (Park and Miller). */
const sequence = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

/** Lets many write one item at once, which each holds for a while. */
const meet = async (count: number, holds: number) => {
  let isHeld = false;
  const sentIn: number[] = [];
  const attempt = async () => {
    await pass(2);
    sentIn.push(Math.floor(now / 1_000));
    if (isHeld) {
      throw conflict;
    }
    isHeld = true;
    await pass(holds);
    isHeld = false;
  };
  let [open, failed] = [count, 0];
  for (let each = 0; each < count; each++) {
    sendBy(new RetryStrategy({ maxAttempts: 3 }), attempt)
      .catch(() => (failed += 1))
      .finally(() => (open -= 1));
  }
  await runClock(() => open === 0);
  const perSecond = Map.groupBy(sentIn, (second) => second);
  const attempts = [...perSecond.values()].map(({ length }) => length);
  return { failed, mostPerSecond: Math.max(...attempts) };
};

test.each([10, 20, 50])('of a hundred that meet, each has its turn of %d ms', async (holds) => {
  jest.spyOn(Math, 'random').mockImplementation(sequence(7));
  const { failed, mostPerSecond } = await meet(100, holds);
  expect(failed).toBe(0);
  // A partition takes 1,000 units a second. Without backoff, it would be 2,000 to 3,400 attempts.
  expect(mostPerSecond).toBeLessThan(1_000);
});
