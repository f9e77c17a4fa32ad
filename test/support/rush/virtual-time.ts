import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';

interface Timer {
  at: number;
  delay: number;
  run: () => void;
}

/**
 * Replaces the clock and the timers of this process: time passes as fast as work is done. Call this
 * before loading a function, in a file of its own: nothing is put back.
 */
export const virtualTime = () => {
  const timers = new Set<Timer>();
  let now = 0;
  const setTimeout = (run: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
    const timer: Timer = { at: now + delay, delay, run: () => run(...args) };
    timers.add(timer);
    const refresh = () => {
      timer.at = now + timer.delay;
    };
    return Object.assign(timer, { refresh, ref: () => timer, unref: () => timer });
  };
  Object.assign(globalThis, { setTimeout, clearTimeout: (timer: Timer) => timers.delete(timer) });
  // middy's.
  jest.unstable_mockModule('node:timers', () => ({ setTimeout }));
  const startedAt = Date.now();
  process.uptime = () => now / 1_000;
  Date.now = () => startedAt + now;

  const passToNextTimer = async (): Promise<void> => {
    // Whatever is ready runs first.
    await turn();
    const next = [...timers].reduce((one, other) => (other.at < one.at ? other : one));
    timers.delete(next);
    now = Math.max(now, next.at);
    next.run();
  };
  return {
    now: () => now,
    sleep: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void setTimeout(() => resolve(), milliseconds)),
    /** Lets time pass until some work is done, and then until nothing happens any more. */
    until: async (work: Promise<unknown>): Promise<void> => {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      while (!isDone || timers.size > 0) {
        await passToNextTimer();
        await turn();
      }
      await done;
    },
  };
};

export type VirtualTime = ReturnType<typeof virtualTime>;

/** Returns random numbers from 0 to 1, always the same for a seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
};
