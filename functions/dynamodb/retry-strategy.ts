import { StandardRetryStrategy } from '@smithy/core/retry';
import type { RetryErrorInfo, SdkError, StandardRetryToken } from '@smithy/types';
import type { ClockMetadata } from './clock.ts';

/** What an attempt of this request failed with that was tried again, the last of them: why it may run out of time. */
export const retried: { error?: unknown } = {};

/**
 * The SDK's, but for an attempt after the clock was set: that one needs no wait and nothing of the quota by which
 * the SDK spares a service in trouble. An instance that had used up its quota could never set its clock.
 */
export class RetryStrategy extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    retried.error = info.error;
    const { $metadata } = info.error as SdkError & { $metadata?: ClockMetadata };
    const attempts = token.getRetryCount() + 1;
    if ($metadata?.clockSkewCorrected && attempts < (await this.maxAttempts())) {
      return { getRetryCount: () => attempts, getRetryDelay: () => 0, getRetryCost: () => undefined };
    }
    return super.refreshRetryTokenForRetry(token, info);
  }
}
