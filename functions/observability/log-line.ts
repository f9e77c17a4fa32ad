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

/** An error and its causes as members of a log line. */
export const errorFields = (error: unknown): object =>
  error instanceof Error
    ? {
        errorType: error.name,
        errorMessage: error.message,
        stack: mapStack(error.stack ?? ''),
        ...(error.cause !== undefined && { cause: errorFields(error.cause) }),
      }
    : { errorMessage: String(error) };
