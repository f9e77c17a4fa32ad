import { jest } from '@jest/globals';

/**
 * Takes the timer by which middy gives a request up when its time is over. Call this before loading
 * a function.
 */
export const takeMiddyTimer = () => {
  /** The timer of the request that began last. */
  const last = { giveUp: () => {}, milliseconds: 0 };
  const setTimeout = (giveUp: () => void, milliseconds: number) => {
    Object.assign(last, { giveUp, milliseconds });
  };
  jest.unstable_mockModule('node:timers', () => ({ setTimeout }));
  return {
    /** Gives the request up. */
    timeIsOver: () => last.giveUp(),
    /** Returns the time that the request had when it began. */
    timeOfRequest: () => last.milliseconds,
  };
};
