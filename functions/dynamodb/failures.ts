import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

interface TransientErrorOptions extends ErrorOptions {
  /** Whether a byte of the request may have left this machine. Default: true. */
  hasLeft?: boolean;
}

/** The error for no response, half a response, or one that DynamoDB cannot have sent. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** Tells the SDK that a retry may succeed. */
  readonly $retryable = { throttling: false };
  readonly hasLeft: boolean;

  constructor(message: string, { hasLeft = true, ...options }: TransientErrorOptions = {}) {
    super(message, options);
    this.hasLeft = hasLeft;
  }
}

/** The error for a command that is not repeated because it may have run. Its cause says why. */
export class UnsettledError extends Error {
  override readonly name = 'UnsettledError';
}

/**
 * Whether an error means that DynamoDB temporarily cannot serve a request, so that the SDK retries
 * it.
 */
export const isRetryable = (error: unknown): boolean =>
  error instanceof Error &&
  (isThrottlingError(error as SdkError) || isTransientError(error as SdkError));

/**
 * Whether DynamoDB may have run a command although its attempt failed with this error. Only two
 * things settle that it has not: a rejection in its own words, and a request that never left.
 */
export const mayHaveRun = (error: unknown): boolean => {
  const isRejection =
    error instanceof DynamoDBServiceException &&
    (Number(error.$metadata.httpStatusCode) < 500 || isThrottlingError(error as SdkError));
  const neverLeft = error instanceof TransientError && !error.hasLeft;
  return !isRejection && !neverLeft;
};
