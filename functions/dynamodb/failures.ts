import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/** The error for no response, half a response, or one that DynamoDB cannot have sent. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}

/** What follows from the failure of an attempt at DynamoDB. */
interface Kind {
  /** Whether the command is sent again: in its turn, or as the SDK does after such an error. */
  retried: 'never' | 'in turn' | 'TRANSIENT' | 'THROTTLING';
  /** What the client gets, if no attempt succeeds. */
  code: 'internal_error' | 'service_unavailable';
  /** Whose fault it is. One of the version rolls its release back. */
  fault: 'of the version' | 'of others' | 'of either';
}

const kinds = {
  /** DynamoDB says that a condition is false. Whoever expects that makes a 404, 412 or 422 of it. */
  falseCondition: { retried: 'never', code: 'internal_error', fault: 'of the version' },
  /** DynamoDB rejects the command in any other way, or the error is not about DynamoDB. */
  rejection: { retried: 'never', code: 'internal_error', fault: 'of the version' },
  /** Another write of an item was first. */
  conflict: { retried: 'in turn', code: 'service_unavailable', fault: 'of others' },
  throttling: { retried: 'THROTTLING', code: 'service_unavailable', fault: 'of others' },
  /**
   * A 5xx, no response or half of one: the command may have been, or may still be, carried out. Or a
   * signature that has expired, because the instance was frozen between signing and sending.
   */
  lost: { retried: 'TRANSIENT', code: 'service_unavailable', fault: 'of either' },
} satisfies Record<string, Kind>;

/** Returns the kind of an error: what it means for the command, the client and the release. */
export const kindOf = (error: unknown): Kind => {
  if (typeof error !== 'object' || error === null) {
    return kinds.rejection;
  }
  const reasons = reasonsOf(error).map(({ Code }) => Code);
  // A false condition stays so, whatever else a transaction has met.
  if (
    error instanceof ConditionalCheckFailedException ||
    reasons.includes('ConditionalCheckFailed')
  ) {
    return kinds.falseCondition;
  }
  if (error instanceof TransactionConflictException || reasons.includes('TransactionConflict')) {
    return kinds.conflict;
  }
  if (
    isThrottlingError(error as SdkError) ||
    reasons.includes('ThrottlingError') ||
    reasons.includes('ProvisionedThroughputExceeded')
  ) {
    return kinds.throttling;
  }
  return error instanceof TransientError || isTransientError(error as SdkError)
    ? kinds.lost
    : kinds.rejection;
};

/** Why a transaction was cancelled: what DynamoDB says of each action. */
const reasonsOf = (error: unknown): CancellationReason[] =>
  (error instanceof TransactionCanceledException && error.CancellationReasons) || [];

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
  if (kindOf(error) !== kinds.falseCondition) {
    throw error;
  }
  return error instanceof ConditionalCheckFailedException
    ? [error]
    : reasonsOf(error).map((each) => (each.Code === 'ConditionalCheckFailed' ? each : undefined));
};
