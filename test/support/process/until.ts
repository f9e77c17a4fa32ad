import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds, and returns what it returned. Looks every 20 ms, and once more when
 * the time is over: a busy machine may have stood still meanwhile.
 * @param what names what is waited for, as the end of "Waited … seconds for"
 * @throws Error that says what did not come, and what a condition that throws last threw
 */
export const until = async <T>(
  what: string,
  condition: () => T | Promise<T>,
  seconds = 30,
): Promise<NonNullable<T>> => {
  const deadline = performance.now() + seconds * 1_000;
  let cause: unknown;
  for (let isOver = false; !isOver; await sleep(20)) {
    isOver = performance.now() >= deadline;
    try {
      const met = await condition();
      if (met) {
        return met as NonNullable<T>;
      }
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(`Waited ${seconds} seconds for ${what}.`, { cause });
};
