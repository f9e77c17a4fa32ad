import { kindOf } from '../dynamodb/failures.ts';
import { logLine } from './log-line.ts';
import { mapStack } from './map-stack.ts';
import type { Counts } from './metrics.ts';

interface FaultFields {
  operation?: string;
}

/**
 * Writes the log line of a request that failed, with the error and its causes. It counts as a fault of
 * the function's version, whose alarm rolls a release back, unless it is DynamoDB's, or that of
 * clients who write one item at the same moment.
 */
export const logFault = (error: unknown, fields: FaultFields, counts: Counts = {}): void => {
  const counted = isOfOthers(error, fields) ? counts : { ...counts, Faults: 1 };
  logLine('ERROR', { ...fields, ...errorFields(error) }, counted);
};

/** Whether an error, or one that caused it, is not the fault of this version. */
const isOfOthers = (error: unknown, fields: FaultFields): boolean => {
  const { fault } = kindOf(error);
  return (
    fault === 'of others' ||
    // Of a version that cannot read responses, lists and keys tell.
    (fault === 'of either' && fields.operation === 'updateInventory') ||
    (error instanceof Error && isOfOthers(error.cause, fields))
  );
};

/**
 * An error with DynamoDB's details: the request's id, which AWS Support asks for, which limit
 * throttled it, and why a transaction was cancelled.
 */
type DynamodbError = Error & {
  $metadata?: { requestId?: string };
  throttlingReasons?: unknown;
  CancellationReasons?: { Code?: string; Message?: string }[];
};

/** Returns the fields of a log line for an error and its causes. */
const errorFields = (error: unknown): object => {
  if (!(error instanceof Error)) {
    return { errorMessage: String(error) };
  }
  const { name, message, stack, cause, ...details }: DynamodbError = error;
  const { $metadata, throttlingReasons, CancellationReasons } = details;
  return {
    errorType: name,
    errorMessage: message,
    // Errors that are not DynamoDB's have an empty ID, or none.
    dynamodbRequestId: $metadata?.requestId || undefined,
    throttlingReasons,
    // A reason may also have the item.
    cancellationReasons: CancellationReasons?.map(({ Code, Message }) => ({ Code, Message })),
    stack: mapStack(stack ?? ''),
    cause: cause === undefined ? undefined : errorFields(cause),
  };
};
