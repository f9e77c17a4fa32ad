import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/** The error for no response, half a response, or one that DynamoDB cannot have sent. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** Tells the SDK that a retry may succeed. */
  readonly $retryable = { throttling: false };
}

/**
 * Whether an error means that DynamoDB temporarily cannot serve a request, so that the SDK retries
 * it.
 */
export const isRetryable = (error: unknown): boolean =>
  error instanceof Error &&
  (isThrottlingError(error as SdkError) || isTransientError(error as SdkError));

/**
 * Whether DynamoDB may have run a command although its attempt failed with this error. Only a
 * rejection in DynamoDB's own words proves that it has not.
 */
export const mayHaveRun = (error: unknown): boolean => {
  const isRejection =
    error instanceof DynamoDBServiceException &&
    (Number(error.$metadata.httpStatusCode) < 500 || isThrottlingError(error as SdkError));
  return !isRejection;
};
