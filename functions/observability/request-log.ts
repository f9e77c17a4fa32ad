import { finished, Readable } from 'node:stream';
import type { MiddlewareObj, Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { ApiRequest } from '../http/request.ts';
import { stopwatch } from '../shared/stopwatch.ts';
import { logFault } from './log-fault.ts';
import { logLine } from './log-line.ts';
import type { Counts } from './metrics.ts';

/** What is known of one request, for its log line. Whoever learns something writes it here. */
export interface RequestRecord {
  /** Returns the whole milliseconds since the request began. */
  elapsed: () => number;
  counts: Counts;
  /** Headers of the response, whichever it is. */
  headers: Record<string, string>;
  /** The cause of a 5xx; every 5xx has one. */
  fault?: unknown;
  /** The error of the last attempt to reach DynamoDB that failed. */
  failedAttempt?: unknown;
  /** How often a command was sent to DynamoDB again. */
  retries?: number;
  /** More fields of the log line. */
  fields: {
    /** The code of an Error response. */
    code?: string;
    /** The petId of an update, as text because JSON parsers would round it. */
    petId?: string;
    /** A numeral: what was stored may be none that a number can express. */
    quantityFrom?: string | undefined;
    /** What an update is to set, also if it fails: after a 5xx, it may have. */
    quantityTo?: number;
    /** An update's If-Match, if it has the form of our ETags. */
    ifMatch?: string;
    /** The characters of any other If-Match. */
    ifMatchLength?: number;
    /** The beginning of the SHA-256 of an update's Idempotency-Key, in hex. */
    idempotencyKeyHash?: string;
    /** Whether an earlier request has decided what becomes of this update. */
    repeated?: true;
  };
}

/** The context of a request: Lambda's, with our record. */
export type RecordedContext = Context & { record: RequestRecord };

type Response = { statusCode: number; body?: unknown };

type LoggedRequest = Request<ApiRequest, Response, Error, RecordedContext>;

/**
 * Returns a middleware that records each request in its context, and logs it when its response has
 * ended. Attach it first, so that it logs last.
 */
export const requestLog = (
  operation: string,
): MiddlewareObj<ApiRequest, Response, Error, RecordedContext> => {
  const logWhenEnded = (request: LoggedRequest) => {
    const body = request.response?.body;
    if (body instanceof Readable) {
      finished(body, (cutOff) => log(operation, request, cutOff));
    } else {
      log(operation, request);
    }
  };
  return {
    before: function startRecord({ context }) {
      context.record = { elapsed: stopwatch(), counts: {}, headers: {}, fields: {} };
    },
    after: logWhenEnded,
    onError: logWhenEnded,
  };
};

/** Logs a request whose response is complete, or was cut off by an error. */
const log = (operation: string, request: LoggedRequest, cutOff?: Error | null): void => {
  const { requestId, extendedRequestId, keyId } = request.event;
  const { context, response } = request;
  const { elapsed, counts, fault = faultOf(cutOff), retries, fields } = context.record;
  const line = {
    requestId,
    extendedRequestId,
    operation,
    keyId,
    status: response?.statusCode,
    durationMs: elapsed(),
    retries,
    ...fields,
    cutOff: cutOff ? true : undefined,
  };
  if (fault === undefined) {
    logLine('INFO', line, counts);
  } else {
    logFault(fault, line, counts);
  }
};

/**
 * Returns the fault because of which a body was cut off, if it was one. A body that was closed
 * early without an error was not read within the time limit: that is its client's affair.
 */
const faultOf = (cutOff?: NodeJS.ErrnoException | null): Error | undefined =>
  cutOff && cutOff.code !== 'ERR_STREAM_PREMATURE_CLOSE' ? cutOff : undefined;
