import { StandardRetryStrategy } from '@smithy/core/retry';
import type { RetryErrorInfo, SdkError, StandardRetryToken } from '@smithy/types';
import type { ClockMetadata } from './clock.ts';

/**
 * Retries as the SDK does, except after the clock was corrected: then at once, and without using
 * the quota of retries that protects an overloaded service. Otherwise, an instance with no quota
 * left could never correct its clock.
 */
export class RetryStrategy extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    const { $metadata } = info.error as SdkError & { $metadata?: ClockMetadata };
    const attempts = token.getRetryCount() + 1;
    if ($metadata?.clockSkewCorrected && attempts < (await this.maxAttempts())) {
      return {
        getRetryCount: () => attempts,
        getRetryDelay: () => 0,
        getRetryCost: () => undefined,
      };
    }
    return super.refreshRetryTokenForRetry(token, info);
  }
}
