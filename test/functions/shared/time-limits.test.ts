import { expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as limits from '../../../functions/shared/time-limits.ts';

test.each([
  { attempts: 1, waits: 0 },
  { attempts: 2, waits: 1 },
  { attempts: 3, waits: 1 + 2 },
  // The SDK waits no longer than 20 s.
  { attempts: 8, waits: 1 + 2 + 4 + 8 + 16 + 20 + 20 },
])('$attempts attempts need their own time, and waits of $waits s', ({ attempts, waits }) => {
  const needed = attempts * limits.attemptTimeout + waits * 1_000;
  expect(limits.attemptsWithin(needed - 1)).toBe(attempts - 1);
  expect(limits.attemptsWithin(needed)).toBe(attempts);
});

test('a request has time for more than one attempt', () => {
  expect(limits.requestAttempts).toBeGreaterThan(1);
  expect(limits.requestAttempts).toBe(limits.attemptsWithin(limits.firstByteTimeout));
});

test('a page of a list has a third of its time, so that others may fail, too', () => {
  expect(limits.pageAttempts).toBe(limits.attemptsWithin(20_000));
  expect(limits.pageAttempts).toBeGreaterThan(limits.requestAttempts);
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
