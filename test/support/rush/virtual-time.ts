import { jest } from '@jest/globals';

interface Timer {
  at: number;
  delay: number;
  run: () => void;
}

/** A real turn of the event loop, in which whatever was ready has run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Replaces the clock and the timers of this process: time passes as fast as work is done. Call this
 * before loading a function.
 */
export const virtualTime = () => {
  const timers = new Set<Timer>();
  let now = 0;
  const setTimeout = (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
    const timer: Timer = { at: now + delay, delay, run: () => callback(...args) };
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

  /** Lets time pass until there is nothing to wait for, or something is done. */
  const pass = async (isDone: () => boolean): Promise<void> => {
    for (;;) {
      await turn();
      const [first, ...others] = timers;
      if (first === undefined || isDone()) {
        return;
      }
      const next = others.reduce((one, other) => (other.at < one.at ? other : one), first);
      timers.delete(next);
      now = Math.max(now, next.at);
      next.run();
    }
  };

  return {
    now: () => now,
    sleep: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void setTimeout(() => resolve(), milliseconds)),
    /** Lets time pass until some work has ended. */
    until: async <Result>(work: Promise<Result>): Promise<Result> => {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      await pass(() => isDone);
      return work;
    },
    /** Lets time pass until nothing happens any more. */
    untilQuiet: (): Promise<void> => pass(() => false),
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
