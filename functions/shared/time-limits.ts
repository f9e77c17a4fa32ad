import type { Context } from 'aws-lambda';

/**
 * Timeout in milliseconds of a Lambda function that makes one request to a table. Init has a limit
 * of its own.
 */
export const functionTimeout = 10_000;

/**
 * Seconds for which API Gateway caches the authorizer's result for a key. A revoked key works for
 * at most 60 s more: these, and the time limit of an authorizer that read the key before it was
 * revoked.
 */
export const authorizerCacheSeconds = 50;

/**
 * Timeout in milliseconds of the list's Lambda function. Lambda streams at most 200 MB, which takes
 * 97 s: 6 MB at once, then 2 MB/s. The rest of the time is for clients that are up to three times
 * slower.
 */
export const listTimeout = 300_000;

/**
 * Milliseconds before its timeout at which a function gives up on its own, because Lambda would
 * kill it silently.
 */
export const timeoutMargin = 1_000;

/** Milliseconds within which the first byte of every response is sent. */
export const firstByteTimeout = functionTimeout - timeoutMargin;

/** Milliseconds without a byte of DynamoDB's response after which an attempt fails. */
export const attemptTimeout = functionTimeout / 5;

/**
 * Attempts that fit into firstByteTimeout even if each times out and the SDK waits as long as it
 * can between them.
 */
export const requestAttempts = 3;

/**
 * Attempts for a page that fit into a third of listTimeout in the same way. Other pages need the
 * rest of the time.
 */
export const pageAttempts = 8;

/** Returns the milliseconds until an invocation must give up. */
export const timeLeft = (context: Context): number =>
  Math.max(0, context.getRemainingTimeInMillis() - timeoutMargin);
