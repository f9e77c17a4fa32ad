import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/** DynamoDB sent no response, or half of one, or nothing that it could have meant. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** Tells the SDK that it may try again. */
  readonly $retryable = { throttling: false };
  /** Keeps the SDK from adding advice to the message. */
  readonly $metadata = {};
}

/** Whether an error says that DynamoDB cannot serve a request for the time being: one after which the SDK tries again. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof Error && (isThrottlingError(error as SdkError) || isTransientError(error as SdkError));
