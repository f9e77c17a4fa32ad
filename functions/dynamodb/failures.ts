import {
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/*
 * What a failed attempt says of its command. An unsettled attempt is recorded, because it may have
 * changed the table, or may still do so.
 *
 * | DynamoDB                                      | retried | unsettled | the client gets, in the end |
 * |-----------------------------------------------|---------|-----------|-----------------------------|
 * | says that a condition is false                | no      | no        | 404, 412                    |
 * | rejects the command in any other way          | no      | no        | 500 internal_error          |
 * | throttles it                                  | yes     | no        | 503                         |
 * | says that another write of the item was first | in turn | no        | 503                         |
 * | was never connected                           | yes     | no        | 503                         |
 * | sends a 5xx, no response or half of one       | yes     | yes       | 503; with an ETag 500       |
 * | says that an earlier attempt is still running | in turn | yes       | outcome_unknown             |
 *
 * In turn: as long as the request has time (in-turn.ts).
 */

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

/** Whether a write was refused only because another wrote the same item at that moment. */
export const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException || reasonOf(error) === 'TransactionConflict';

/** Whether a write has to wait for another of the same item, or for an earlier attempt of its own. */
export const isBusy = (error: unknown): boolean =>
  isConflict(error) || error instanceof TransactionInProgressException;

/**
 * Returns what tells the SDK to retry an error of DynamoDB that it does not know as one that passes;
 * undefined if it does not pass.
 */
export const retryTrait = (error: Error): { throttling: boolean } | undefined => {
  if (isConflict(error)) {
    return { throttling: false };
  }
  return throttlingReasons.has(reasonOf(error) ?? '') ? { throttling: true } : undefined;
};

/** Why a transaction was cancelled. Ours have one action, and so one reason. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof TransactionCanceledException ? error.CancellationReasons?.[0]?.Code : undefined;

const throttlingReasons = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Whether DynamoDB may have run a command, or may still do so, although its attempt has failed. */
export const isUnsettled = (error: unknown): boolean => {
  if (error instanceof DynamoDBServiceException) {
    const isRejection =
      Number(error.$metadata.httpStatusCode) < 500 || isThrottlingError(error as SdkError);
    return !isRejection || error instanceof TransactionInProgressException;
  }
  const { code = '' } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return !neverConnected.has(code);
};

/** The errors of a connection that there never was: nothing has been sent. */
const neverConnected = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND']);
