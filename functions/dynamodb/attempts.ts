import { StandardRetryStrategy } from '@smithy/core/retry';
import type { HttpRequest, RetryErrorInfo, SdkError, StandardRetryToken } from '@smithy/types';
import type { RequestRecord } from '../observability/request-log.ts';
import { conflictAttempts, conflictWait } from '../shared/time-limits.ts';
import type { Connections, Exchange } from './connect.ts';
import { isConflict, isUnsettled } from './failures.ts';
import {
  type ClockMetadata,
  correctClock,
  dynamodbTime,
  type SignatureScope,
  signer,
} from './signature.ts';
import { type Output, readOutput } from './wire-format.ts';

/** How a command belongs to the request that it is sent for: the options of `client.send()`. */
export interface SendOptions extends Pick<Exchange, 'abortSignal'> {
  /** Is told why attempts have failed. */
  record?: Pick<RequestRecord, 'failedAttempt' | 'unsettledAttempt'>;
  /** Makes the output an UnparsedOutput, whose bytes are in this buffer. */
  buffer?: Exchange['buffer'];
}

/** Returns a function that makes one attempt: it signs a request, sends it and reads its output. */
export const attemptBy = ({ send }: Connections, scope: SignatureScope) => {
  const sign = signer(scope);
  return async (
    request: HttpRequest,
    timeout: number,
    { record = {}, ...options }: SendOptions,
  ): Promise<Output> => {
    const signedAt = dynamodbTime();
    const signed = await sign(request, signedAt);
    let date: string | undefined;
    try {
      const response = await send(signed, { ...options, timeout });
      date = response.headers.date;
      return readOutput(response, options.buffer !== undefined);
    } catch (error) {
      correctClock(error, signedAt, date);
      // An attempt that was given up has not failed.
      if (!options.abortSignal?.aborted) {
        record.failedAttempt = error;
        if (isUnsettled(error)) {
          record.unsettledAttempt = error;
        }
      }
      throw error;
    }
  };
};

/**
 * Retries as the SDK does, with two exceptions, neither of which uses the quota of retries that
 * protects an overloaded service. After a conflict, a retry comes soon, and many may follow: those
 * who write one item soon have their turns. After the clock was corrected, one comes at once:
 * otherwise, an instance with no quota left could never correct its clock.
 */
export class RetryStrategy extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    const { $metadata } = info.error as SdkError & { $metadata?: ClockMetadata };
    const attempts = token.getRetryCount() + 1;
    if (isConflict(info.error) && attempts < conflictAttempts) {
      return freeRetry(attempts, Math.random() * conflictWait);
    }
    if ($metadata?.clockSkewCorrected && attempts < (await this.maxAttempts())) {
      return freeRetry(attempts, 0);
    }
    return super.refreshRetryTokenForRetry(token, info);
  }
}

/** Returns what lets the SDK retry after so many attempts and milliseconds, outside of its quota. */
const freeRetry = (attempts: number, delay: number): StandardRetryToken => ({
  getRetryCount: () => attempts,
  getRetryDelay: () => delay,
  getRetryCost: () => undefined,
});
