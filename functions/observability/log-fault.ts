import { isThrottlingError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import { errorFields, logLine } from './log-line.ts';
import type { Counts } from './metrics.ts';

/**
 * Writes the log line of a request that failed, with the error and its causes, and counts a fault.
 * The version of the function is not to blame for DynamoDB's throttling, which would roll back a
 * good release.
 */
export const logFault = (error: unknown, fields: object, counts: Counts = {}): void => {
  const ofVersion: (keyof Counts)[] = isThrottled(error) ? [] : ['Faults'];
  logLine('ERROR', { ...fields, ...errorFields(error) }, { ...counts, Faults: 1 }, ofVersion);
};

/** Whether an error, or one that caused it, says that DynamoDB throttled a request. */
const isThrottled = (error: unknown): boolean =>
  error instanceof Error && (isThrottlingError(error as SdkError) || isThrottled(error.cause));
