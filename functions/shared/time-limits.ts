import type { Context } from 'aws-lambda';

/** Milliseconds that Lambda gives a function that makes one request to a table. A cold start has a limit of its own. */
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

/** Milliseconds before its limit at which a function gives up by itself: Lambda would kill it without a word. */
export const timeoutMargin = 1_000;

/** Milliseconds until the first byte of a response, whatever happens. */
export const firstByteTimeout = functionTimeout - timeoutMargin;

/** Milliseconds for a response of DynamoDB to begin, or between two of its bytes, after which an attempt fails. */
export const attemptTimeout = functionTimeout / 5;

/** Attempts that fit into firstByteTimeout, if each is silent and the SDK waits as long as it can between them. */
export const requestAttempts = 3;

/** The same for one page in a third of listTimeout: the pages before and after it need the rest. */
export const pageAttempts = 8;

/** Milliseconds until the invocation has to give up. */
export const timeLeft = (context: Context): number => Math.max(0, context.getRemainingTimeInMillis() - timeoutMargin);
