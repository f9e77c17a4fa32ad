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
 * Timeout in milliseconds of a list. How many entries that is: docs/settings.md#large-stocks. One
 * that is read slowly, or not at all, occupies an execution for so long.
 */
export const listTimeout = 60_000;

/**
 * Milliseconds before its timeout at which a function gives up on its own, because Lambda would
 * kill it silently.
 */
export const timeoutMargin = 1_000;

/** Milliseconds within which the first byte of every response is sent. */
export const firstByteTimeout = functionTimeout - timeoutMargin;

/** Milliseconds without a byte of DynamoDB's response after which an attempt fails. */
export const attemptTimeout = functionTimeout / 5;

/** The most milliseconds that the SDK waits before a retry. It waits longest after throttling. */
const longestWait = (retry: number): number => Math.min(1_000 * 2 ** (retry - 1), 20_000);

/**
 * Returns how many attempts fit into a time, even if each of them times out and the SDK waits as
 * long as it can between them.
 */
export const attemptsWithin = (milliseconds: number): number => {
  let attempts = 0;
  let needed = attemptTimeout;
  while (needed <= milliseconds) {
    attempts += 1;
    needed += longestWait(attempts) + attemptTimeout;
  }
  return attempts;
};

/** Attempts for a request whose response must begin within firstByteTimeout. */
export const requestAttempts = attemptsWithin(firstByteTimeout);

/** Attempts for a later page of a list. The other pages need the rest of its time. */
export const pageAttempts = attemptsWithin(listTimeout / 3);

/**
 * Milliseconds after a write was first sent within which it is sent again because of others. A
 * transaction that was abandoned holds its item for 5 s. The last attempt of a request that sends one
 * write may still end in silence before the request has to.
 */
export const busyTime = firstByteTimeout - attemptTimeout;

/**
 * The most milliseconds to wait before sending it again, for the first time and later. A hundred that
 * wait then send 250 transactions a second, which take half of what one partition can.
 */
export const busyWait = (retry: number): number => Math.min(50 * 2 ** (retry - 1), 800);

/** Returns the milliseconds until an invocation must give up. */
export const timeLeft = (context: Context): number =>
  Math.max(0, context.getRemainingTimeInMillis() - timeoutMargin);
