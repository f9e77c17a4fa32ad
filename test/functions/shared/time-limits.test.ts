import { expect, jest, test } from '@jest/globals';
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

test.each([
  { environment: undefined, timeout: 60_000, pageAttempts: 4 },
  { environment: '30', timeout: 30_000, pageAttempts: 3 },
  { environment: '300', timeout: 300_000, pageAttempts: 8 },
])(
  'a list whose function has the time limit $environment takes $timeout ms at most',
  async ({ environment, timeout, pageAttempts }) => {
    jest.replaceProperty(process, 'env', { ...process.env, LIST_TIMEOUT_SECONDS: environment });
    jest.resetModules();
    const { listTimeout, ...others } = await import('../../../functions/shared/time-limits.ts');
    jest.restoreAllMocks();
    expect([listTimeout, others.pageAttempts]).toStrictEqual([timeout, pageAttempts]);
    // The first byte keeps its limit, and so does every request.
    expect([others.firstByteTimeout, others.requestAttempts]).toStrictEqual([9_000, 3]);
  },
);

test('a revoked key works for at most a minute: its last check, and the time in the cache', () => {
  expect(limits.authorizerCacheSeconds + limits.functionTimeout / 1000).toBeLessThanOrEqual(60);
});

test('a function gives up before Lambda ends it', () => {
  const timeLeft = (remaining: number) =>
    limits.timeLeft({ getRemainingTimeInMillis: () => remaining } as Context);
  expect([timeLeft(10_000), timeLeft(1_000), timeLeft(300)]).toStrictEqual([9_000, 0, 0]);
  expect(limits.firstByteTimeout).toBe(timeLeft(limits.functionTimeout));
});
