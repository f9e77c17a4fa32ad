import { expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as limits from '../../../functions/shared/time-limits.ts';

/** Milliseconds that the SDK waits at most before an attempt: the longest of its waits, after throttling. */
const longestWait = (attempt: number): number => (attempt === 0 ? 0 : Math.min(1_000 * 2 ** (attempt - 1), 20_000));

const longestTime = (attempts: number): number =>
  Array.from({ length: attempts }, (_, attempt) => longestWait(attempt) + limits.attemptTimeout).reduce(
    (a, b) => a + b,
  );

test.each([
  ['request', limits.requestAttempts, limits.firstByteTimeout],
  ['page', limits.pageAttempts, limits.listTimeout / 3],
])('the attempts of a %s end in time, and one more would not', (_of, attempts, timeout) => {
  expect(longestTime(attempts)).toBeLessThanOrEqual(timeout);
  expect(longestTime(attempts + 1)).toBeGreaterThan(timeout);
});

test('a revoked key works for at most a minute: the check that let it in, and the time that is kept', () => {
  expect(limits.authorizerCacheSeconds + limits.functionTimeout / 1000).toBeLessThanOrEqual(60);
});

test('a function gives up before Lambda ends it', () => {
  const timeLeft = (remaining: number) => limits.timeLeft({ getRemainingTimeInMillis: () => remaining } as Context);
  expect([timeLeft(10_000), timeLeft(1_000), timeLeft(300)]).toEqual([9_000, 0, 0]);
  expect(limits.firstByteTimeout).toBe(timeLeft(limits.functionTimeout));
});
