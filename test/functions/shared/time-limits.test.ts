import { expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as limits from '../../../functions/shared/time-limits.ts';

/**
 * Returns the most milliseconds that the SDK waits before an attempt; it waits longest after
 * throttling.
 */
const longestWait = (attempt: number): number =>
  attempt === 0 ? 0 : Math.min(1_000 * 2 ** (attempt - 1), 20_000);

const longestTime = (attempts: number): number =>
  Array.from(
    { length: attempts },
    (_, attempt) => longestWait(attempt) + limits.attemptTimeout,
  ).reduce((a, b) => a + b);

test.each([
  ['request', limits.requestAttempts, limits.firstByteTimeout],
  ['page', limits.pageAttempts, limits.listTimeout / 3],
])('the attempts of a %s fit its time limit, and one more would not', (_of, attempts, timeout) => {
  expect(longestTime(attempts)).toBeLessThanOrEqual(timeout);
  expect(longestTime(attempts + 1)).toBeGreaterThan(timeout);
});

test('a revoked key works for at most a minute: its last check plus the time that the result is cached', () => {
  expect(limits.authorizerCacheSeconds + limits.functionTimeout / 1000).toBeLessThanOrEqual(60);
});

test('a function gives up before Lambda ends it', () => {
  const timeLeft = (remaining: number) =>
    limits.timeLeft({ getRemainingTimeInMillis: () => remaining } as Context);
  expect([timeLeft(10_000), timeLeft(1_000), timeLeft(300)]).toEqual([9_000, 0, 0]);
  expect(limits.firstByteTimeout).toBe(timeLeft(limits.functionTimeout));
});
