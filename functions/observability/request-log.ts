import { finished, Readable } from 'node:stream';
import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { logFault } from './log-fault.ts';
import { logLine, stopwatch } from './log-line.ts';
import type { Counts } from './metrics.ts';

/** The fields of one request's log line, in addition to those that every line has. */
export interface LogFields {
  counts?: Counts;
  /** The code of an Error response. */
  code?: string;
  /** The cause of a 5xx; every 5xx has one. */
  error?: unknown;
  /** The petId of an update, as text because JSON parsers would round it. */
  petId?: string;
  quantityFrom?: number | string | undefined;
  quantityTo?: number;
}

type Response = { statusCode: number; body?: unknown };

const logFieldsOf = new WeakMap<object, LogFields>();

/**
 * Sets the fields for the log line of a response's request. They may still change until the body
 * ends.
 */
export const attachLogFields = <R extends Response>(response: R, fields: LogFields): R => {
  logFieldsOf.set(response, fields);
  return response;
};

/**
 * Returns the fault because of which a body was cut off, if it was one. A body that was closed
 * early without an error was not read within the time limit: that is its client's affair.
 */
const faultOf = (cutOff: unknown): unknown => {
  const { code } = (cutOff ?? {}) as { code?: string };
  return code === 'ERR_STREAM_PREMATURE_CLOSE' ? undefined : cutOff;
};

interface EndedRequest {
  operation: string;
  event: APIGatewayProxyEvent;
  response: Response;
  durationMs: number;
  /** The error with which the body ended early; undefined if it is complete. */
  cutOff?: unknown;
}

const log = ({ operation, event, response, durationMs, cutOff }: EndedRequest): void => {
  const { counts, error: ownError, ...details } = logFieldsOf.get(response) ?? {};
  // A response with an error of its own is an Error response, which is never cut off.
  const error = ownError === undefined ? faultOf(cutOff) : ownError;
  const fields = {
    requestId: event.requestContext.requestId,
    extendedRequestId: event.requestContext.extendedRequestId,
    operation,
    keyId: event.requestContext.authorizer?.keyId,
    status: response.statusCode,
    durationMs,
    ...details,
    cutOff: cutOff === undefined ? undefined : true,
  };
  if (error === undefined) {
    logLine('INFO', fields, counts);
  } else {
    logFault(error, fields, counts);
  }
};

/**
 * Returns a middleware that logs each request when its response has ended. Attach it first, so that
 * it logs last.
 */
export const requestLog = (operation: string): MiddlewareObj<APIGatewayProxyEvent, Response> => {
  let elapsed = stopwatch();

  const logWhenEnded = ({ event, ...request }: Request<APIGatewayProxyEvent>) => {
    const response = request.response as Response;
    const logEnded = (cutOff?: unknown) =>
      log({ operation, event, response, durationMs: elapsed(), cutOff });
    if (response.body instanceof Readable) {
      finished(response.body, (error) => logEnded(error ?? undefined));
    } else {
      logEnded();
    }
  };

  return {
    before: function startClock() {
      elapsed = stopwatch();
    },
    after: logWhenEnded,
    onError: logWhenEnded,
  };
};
