import { expect } from '@jest/globals';

/** CPU milliseconds of the fastest of five runs. */
const cpuTime = (run: () => void): number => {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
};

/** What the clock and the garbage collector may add. */
const noise = 1;

/**
 * Asserts that four times the input, 100 kB instead of 25, takes less than eight times the CPU: quadratic time would
 * take sixteen times.
 */
export const expectLinear = (prepare: (length: number) => () => void): void => {
  const [short, long] = [prepare(25_000), prepare(100_000)];
  short();
  expect(cpuTime(long)).toBeLessThan(8 * (cpuTime(short) + noise));
};
