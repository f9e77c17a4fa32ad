import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
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
 * Whether a command was refused only because of another that wrote the same item at that moment, or
 * because of load.
 */
export const isConflict = (error: Error): boolean =>
  error.name === 'TransactionConflictException' ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).every(({ Code = '' }) => passing.includes(Code)));
const passing = ['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/**
 * Whether DynamoDB may have run a command although its attempt failed with this error. Only two
 * things settle that it has not: a rejection in its own words, unless that says that an earlier
 * attempt is still running, and a connection that there never was.
 */
export const mayHaveRun = (error: unknown): boolean => {
  const isRejection =
    error instanceof DynamoDBServiceException &&
    error.name !== 'TransactionInProgressException' &&
    (Number(error.$metadata.httpStatusCode) < 500 || isThrottlingError(error as SdkError));
  const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return !isRejection && !['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND'].includes(code);
};
