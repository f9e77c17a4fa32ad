import { type Counts, embeddedMetrics } from './metrics.ts';
import { mapStack } from './source-stack.ts';

let coldStart = true;

/**
 * Writes one line of JSON to the log, with the metrics of what it counts. Nothing secret may be in it.
 * Not by console, which wraps what it is given: CloudWatch finds metrics only at the top of a line.
 */
export const logLine = (level: 'INFO' | 'ERROR', fields: object, counts: Counts = {}): void => {
  const metrics = embeddedMetrics({ ...counts, ...(coldStart && { ColdStarts: 1 }) });
  coldStart = false;
  process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level, ...fields, ...metrics })}\n`);
};

/** What DynamoDB says with an error: the id that AWS Support asks for, and which limit throttled a request. */
type DynamodbError = Error & { $metadata?: { requestId?: string }; throttlingReasons?: unknown };

/** An error and its causes as members of a log line. */
export const errorFields = (error: unknown): object => {
  if (!(error instanceof Error)) {
    return { errorMessage: String(error) };
  }
  const { name: errorType, message: errorMessage, stack = '', $metadata, throttlingReasons }: DynamodbError = error;
  const more = { dynamodbRequestId: $metadata?.requestId || undefined, throttlingReasons, stack: mapStack(stack) };
  return { errorType, errorMessage, ...more, ...(error.cause !== undefined && { cause: errorFields(error.cause) }) };
};
