import { stopwatch } from '../shared/stopwatch.ts';
import { busyTime, busyWait } from '../shared/time-limits.ts';
import { isBusy } from './failures.ts';

/**
 * Sends a write, again and again while others hold it up. It waits ever longer and at random, so
 * that each has its turn, however many they are.
 * @param elapsed returns the milliseconds since its request began
 */
export const inTurn = async <Result>(
  send: () => Promise<Result>,
  elapsed = stopwatch(),
): Promise<Result> => {
  for (let retry = 1; ; retry++) {
    try {
      return await send();
    } catch (error) {
      const wait = Math.random() * busyWait(retry);
      if (!isBusy(error) || elapsed() + wait > busyTime) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
};
