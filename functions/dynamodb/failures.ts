import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/*
 * What a failed attempt says of its command.
 *
 * | DynamoDB                                     | retried            | what the client gets, at last |
 * |----------------------------------------------|--------------------|-------------------------------|
 * | says that a condition is false               | no                 | 404, 412, 422                 |
 * | rejects the command in any other way         | no                 | 500                           |
 * | says that another write of an item was first | while it has time  | 503                           |
 * | throttles it                                 | some times; with a | 503                           |
 * | sends a 5xx, no response or half of one      | receipt, while it  | 503: it may have been, or may |
 * |                                              | has time           | still be, carried out         |
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

/** What DynamoDB says of a false condition: the item as it is, if there is one. */
interface FalseCondition {
  Item?: Record<string, AttributeValue> | undefined;
}

/**
 * Returns the false conditions of a write that has failed, in the order of its actions; undefined for
 * each that holds, or of which DynamoDB says nothing.
 * @throws the error if it has failed otherwise
 */
export const falseConditions = (error: unknown): (FalseCondition | undefined)[] => {
  if (error instanceof ConditionalCheckFailedException) {
    return [error];
  }
  if (!hasReason(error, ['ConditionalCheckFailed'])) {
    throw error;
  }
  return reasonsOf(error).map((each) =>
    each.Code === 'ConditionalCheckFailed' ? each : undefined,
  );
};

/** Whether a write was refused only because another wrote the same item at that moment. */
export const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException || passes(error, ['TransactionConflict']);

/**
 * Returns what tells the SDK to retry an error of DynamoDB that it does not know as one that passes;
 * undefined if it does not pass.
 */
export const retryTrait = (error: Error): { throttling: boolean } | undefined => {
  if (isConflict(error)) {
    return { throttling: false };
  }
  return passes(error, ['ThrottlingError', 'ProvisionedThroughputExceeded'])
    ? { throttling: true }
    : undefined;
};

/** Whether a transaction was cancelled for one of these reasons alone: a false condition stays so. */
const passes = (error: unknown, codes: string[]): boolean =>
  hasReason(error, codes) && !hasReason(error, ['ConditionalCheckFailed']);

const hasReason = (error: unknown, codes: string[]): boolean =>
  reasonsOf(error).some(({ Code = '' }) => codes.includes(Code));

/** Why a transaction was cancelled: what DynamoDB says of each action. */
const reasonsOf = (error: unknown): CancellationReason[] =>
  (error instanceof TransactionCanceledException && error.CancellationReasons) || [];
