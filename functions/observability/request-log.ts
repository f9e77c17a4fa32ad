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
 * Whether a body was closed early but without an error. Then its client did not read it within the
 * time limit, which is no fault.
 */
const isCancelled = (error?: unknown): boolean =>
  (error as { code?: string } | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Returns a middleware that logs each request when its response has ended. Attach it first, so that
 * it logs last.
 */
export const requestLog = (operation: string): MiddlewareObj<APIGatewayProxyEvent, Response> => {
  let elapsed = stopwatch();

  const log = ({ requestContext }: APIGatewayProxyEvent, response: Response, cutOff?: unknown) => {
    const {
      counts,
      error = isCancelled(cutOff) ? undefined : cutOff,
      ...details
    } = logFieldsOf.get(response) ?? {};
    const fields = {
      requestId: requestContext.requestId,
      extendedRequestId: requestContext.extendedRequestId,
      operation,
      keyId: requestContext.authorizer?.keyId,
      status: response.statusCode,
      durationMs: elapsed(),
      ...details,
      ...(cutOff !== undefined && { brokeOff: true }),
    };
    if (error === undefined) {
      logLine('INFO', fields, counts);
    } else {
      logFault(error, fields, counts);
    }
  };

  const logWhenEnded = ({ event, ...request }: Request<APIGatewayProxyEvent>) => {
    const response = request.response as Response;
    if (response.body instanceof Readable) {
      finished(response.body, (error) => log(event, response, error ?? undefined));
    } else {
      log(event, response);
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
