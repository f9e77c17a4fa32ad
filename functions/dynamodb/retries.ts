import { StandardRetryStrategy, type StandardRetryStrategyOptions } from '@smithy/core/retry';
import type { RetryErrorInfo, StandardRetryToken } from '@smithy/types';
import { stopwatch } from '../shared/stopwatch.ts';
import { busyTime, busyWait } from '../shared/time-limits.ts';
import { kindOf } from './failures.ts';

interface RetryOptions extends StandardRetryStrategyOptions {
  /** The milliseconds after which a write is not sent again because of others. Default: busyTime. */
  patience?: number;
}

/** A token of the SDK's, and how long its command has waited. */
interface Token extends StandardRetryToken {
  /** Returns the milliseconds since the command was first sent. */
  elapsed: () => number;
  /** How often it has waited for its turn. */
  turns: number;
}

/** The errors of commands with a receipt. The SDK shows a strategy nothing else of its command. */
export const failedWithReceipt = new WeakSet<Error>();

/**
 * Retries as the SDK does, with two exceptions. A write that others hold up is sent again as long as
 * it has time. It waits ever longer and at random, so that each has its turn, however many they are,
 * and uses up no attempts. What has a receipt is repeated as long as it has time, too: no attempt is
 * the last, but each takes from the quota by which the SDK spares an overloaded service.
 */
export class RetryStrategy extends StandardRetryStrategy {
  readonly #patience: number;

  constructor({ patience = busyTime, ...options }: RetryOptions) {
    super(options);
    this.#patience = patience;
  }

  override async acquireInitialRetryToken(scope: string): Promise<Token> {
    const token = await super.acquireInitialRetryToken(scope);
    return Object.assign(token, { elapsed: stopwatch(), turns: 0 });
  }

  override async refreshRetryTokenForRetry(token: Token, info: RetryErrorInfo): Promise<Token> {
    const { elapsed, turns } = token;
    const { retried } = kindOf(info.error);
    const left = this.#patience - elapsed();
    if (retried === 'in turn') {
      return nextTurn(token, left, info.error);
    }
    const isNeverLast = left > 0 && failedWithReceipt.has(info.error as Error);
    const next = await super.refreshRetryTokenForRetry(
      isNeverLast ? notLast(token, await this.maxAttempts()) : token,
      { ...info, errorType: retried === 'never' ? 'CLIENT_ERROR' : retried },
    );
    return Object.assign(next, { elapsed, turns });
  }
}

/** Returns the token for one more turn; the SDK waits for it, unless the request is aborted. */
const nextTurn = (token: Token, left: number, error: unknown): Token => {
  if (left <= 0) {
    throw error;
  }
  const turns = token.turns + 1;
  // Whatever time is left, the write is sent once more at its end.
  const wait = Math.min(left, Math.random() * busyWait(turns));
  return Object.assign(token, { turns, getRetryDelay: () => wait });
};

const notLast = (token: Token, maxAttempts: number): Token => ({
  ...token,
  getRetryCount: () => Math.min(token.getRetryCount(), maxAttempts - 2),
});
