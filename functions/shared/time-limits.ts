import type { Context } from 'aws-lambda';

/** Milliseconds that Lambda gives a function that does one request to a table. A cold start has a limit of its own. */
export const functionTimeout = 10_000;

/**
 * Seconds for which API Gateway keeps what the authorizer said of a key. A key works for at most 60 s after it is
 * revoked: these, and the authorizer's own limit.
 */
export const authorizerCacheSeconds = 50;

/**
 * Milliseconds that Lambda gives the list. The most that it streams are 200 MB, in 97 s: 6 MB at once and
 * 2 MB/s from there. The rest is for clients that are up to three times slower.
 */
export const listTimeout = 300_000;

/** A function that runs into its limit is killed without a word: so many milliseconds before, it gives up by itself. */
export const timeoutMargin = 1_000;

/** Milliseconds within which each operation has the first byte of its answer, one way or another. */
export const firstByteTimeout = functionTimeout - timeoutMargin;

/** Milliseconds that the reading of one page of the list may take: the pages before and after it need the rest. */
export const pageTimeout = listTimeout / 3;

/** Milliseconds for DynamoDB's answer to begin, or without a byte of it, after which an attempt has failed. */
export const attemptTimeout = functionTimeout / 5;

/** Milliseconds that the SDK waits at most after an attempt: after throttling, the longest of its waits. */
const longestWait = (attempt: number): number => Math.min(1_000 * 2 ** (attempt - 1), 20_000);

/** How many attempts end for certain within so many milliseconds, each silent and each followed by the longest wait. */
export const maxAttempts = (milliseconds: number): number => {
  let attempts = 1;
  let longest = attemptTimeout;
  for (;;) {
    longest += longestWait(attempts) + attemptTimeout;
    if (longest > milliseconds) {
      return attempts;
    }
    attempts += 1;
  }
};

/** Aborts what is still under way when an invocation is out of time. */
export const deadlineSignal = (context: Context): AbortSignal =>
  AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - timeoutMargin));
