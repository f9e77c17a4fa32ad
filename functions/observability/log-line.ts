import { type Counts, embeddedMetrics } from './metrics.ts';
import { mapStack } from './source-stack.ts';

let coldStart = true;

/**
 * Writes one line of JSON to the log, with `counts` as metrics of the stage, and those that
 * `ofVersion` names as metrics of the function's version, too. The fields must hold nothing secret.
 * console.log would wrap the line in another object, but CloudWatch finds metrics only at the top
 * level.
 */
export const logLine = (
  level: 'INFO' | 'ERROR',
  fields: object,
  counts: Counts = {},
  ofVersion: (keyof Counts)[] = [],
): void => {
  const allCounts = coldStart ? { ...counts, ColdStarts: 1 } : counts;
  coldStart = false;
  const metrics = embeddedMetrics(allCounts, ofVersion);
  const line = { timestamp: new Date().toISOString(), level, ...fields, ...metrics };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/**
 * Starts a stopwatch. The function that it returns gives the whole milliseconds since then. Using
 * `performance` would make Node load more modules, which takes 1 % of a cold start.
 */
export const stopwatch = (): (() => number) => {
  const startedAt = process.uptime();
  return () => Math.round((process.uptime() - startedAt) * 1000);
};

/**
 * An error with DynamoDB's details: the request's id, which AWS Support asks for, and which limit
 * throttled it.
 */
type DynamodbError = Error & { $metadata?: { requestId?: string }; throttlingReasons?: unknown };

/** Returns the fields of a log line for an error and its causes. */
export const errorFields = (error: unknown): object => {
  if (!(error instanceof Error)) {
    return { errorMessage: String(error) };
  }
  const { name, message, stack, cause, $metadata, throttlingReasons }: DynamodbError = error;
  return {
    errorType: name,
    errorMessage: message,
    // Errors that are not DynamoDB's have an empty ID, or none.
    dynamodbRequestId: $metadata?.requestId || undefined,
    throttlingReasons,
    stack: mapStack(stack ?? ''),
    cause: cause === undefined ? undefined : errorFields(cause),
  };
};
