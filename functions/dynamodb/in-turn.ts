import { stopwatch } from '../shared/stopwatch.ts';
import { busyTime, busyWait } from '../shared/time-limits.ts';
import { isConflict } from './failures.ts';

interface Patience {
  /** Returns the milliseconds that count. Default: those since the write was first sent. */
  elapsed?: (() => number) | undefined;
  /** The milliseconds after which it is not sent again. Default: those of a request. */
  limit?: number;
}

/**
 * Sends a write, again and again while others hold it up. It waits ever longer and at random, so
 * that each has its turn, however many they are.
 */
export const inTurn = async <Result>(
  send: () => Promise<Result>,
  { elapsed = stopwatch(), limit = busyTime }: Patience = {},
): Promise<Result> => {
  for (let retry = 1; ; retry++) {
    try {
      return await send();
    } catch (error) {
      const left = limit - elapsed();
      if (!isConflict(error) || left <= 0) {
        throw error;
      }
      // Whatever time is left, it is sent once more at its end.
      const wait = Math.min(left, Math.random() * busyWait(retry));
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
};
