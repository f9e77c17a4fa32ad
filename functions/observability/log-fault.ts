import { readFileSync } from 'node:fs';
import type { SourceMap } from 'node:module';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import { isConflict } from '../dynamodb/failures.ts';
import { logLine } from './log-line.ts';
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
const isOfOthers = (error: unknown, fields: FaultFields): boolean =>
  error instanceof Error &&
  (isThrottlingError(error as SdkError) ||
    isConflict(error) ||
    // Of a version that cannot read responses, lists and keys tell.
    (fields.operation === 'updateInventory' && isTransientError(error as SdkError)) ||
    isOfOthers(error.cause, fields));

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

/**
 * Matches a position in a stack trace. Without the lookbehind, many slashes would take quadratic
 * time.
 */
const position = /(?<=[\s(])(\/[^\s():]+\.js):(\d+):(\d+)/g;

const readMap = (bundle: string): SourceMap | undefined => {
  try {
    // Loaded only when needed, like the map: an import would take 2 % of every cold start.
    const { SourceMap } = process.getBuiltinModule('node:module');
    return new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  } catch {
    return undefined;
  }
};

const maps = new Map<string, SourceMap | undefined>();

const mapOf = (bundle: string): SourceMap | undefined => {
  if (!maps.has(bundle)) {
    maps.set(bundle, readMap(bundle));
  }
  return maps.get(bundle);
};

/** Returns the path of a source from the root of the repository. */
const fromRoot = (path: string): string => path.replace(/.*?(?=(functions|node_modules)\/)/, '');

/**
 * Returns a stack trace whose positions are in the sources instead of the bundle. The source map is
 * read only when it is needed; with Node's own --enable-source-maps, every cold start would read
 * it.
 */
const mapStack = (stack: string): string =>
  stack.replace(position, (found, bundle: string, line: string, column: string) => {
    const origin = mapOf(bundle)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) {
      return found;
    }
    return `${fromRoot(origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  });
