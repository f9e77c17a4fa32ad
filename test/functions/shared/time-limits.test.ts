import { expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as limits from '../../../functions/shared/time-limits.ts';

test.each([
  { within: 1_999, attempts: 0 },
  { within: 2_000, attempts: 1 },
  // Two seconds for each attempt, and waits of 1 and 2 s.
  { within: 9_000, attempts: 3 },
  { within: 20_000, attempts: 4 },
  // The waits are 1, 2, 4, 8, 16, 20 and 20 s, since the SDK waits no longer than 20 s.
  { within: 86_999, attempts: 7 },
  { within: 87_000, attempts: 8 },
])('$attempts attempts fit into $within ms', ({ within, attempts }) => {
  expect(limits.attemptsWithin(within)).toBe(attempts);
});

test('the first byte of every response comes after 9 s at most, in up to three attempts', () => {
  expect([limits.firstByteTimeout, limits.requestAttempts]).toStrictEqual([9_000, 3]);
});

test('a write that others hold up is sent until its last attempt may end in silence', () => {
  expect(limits.busyTime + limits.attemptTimeout).toBe(limits.firstByteTimeout);
  // DynamoDB completes a transaction that was abandoned when it is sent again 5 s after it began.
  expect(limits.busyTime - limits.busyWait(100)).toBeGreaterThan(5_000);
});

test('a revoked key works for at most a minute: its last check, and the time in the cache', () => {
  expect(limits.authorizerCacheSeconds + limits.functionTimeout / 1000).toBeLessThanOrEqual(60);
});

test('a function gives up before Lambda ends it', () => {
  const timeLeft = (remaining: number) =>
    limits.timeLeft({ getRemainingTimeInMillis: () => remaining } as Context);
  expect([timeLeft(10_000), timeLeft(1_000), timeLeft(300)]).toStrictEqual([9_000, 0, 0]);
  expect(limits.firstByteTimeout).toBe(timeLeft(limits.functionTimeout));
});
