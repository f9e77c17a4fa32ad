import { finished, Readable } from 'node:stream';
import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { logFault } from './log-fault.ts';
import { logLine, stopwatch } from './log-line.ts';
import type { RecordedContext } from './request-record.ts';

type Response = { statusCode: number; body?: unknown };

type LoggedRequest = Request<APIGatewayProxyEvent, Response, Error, RecordedContext>;

/**
 * Returns a middleware that records each request in its context, and logs it when its response has
 * ended. Attach it first, so that it logs last.
 */
export const requestLog = (
  operation: string,
): MiddlewareObj<APIGatewayProxyEvent, Response, Error, RecordedContext> => {
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
      context.record = { elapsed: stopwatch(), counts: {}, fields: {} };
    },
    after: logWhenEnded,
    onError: logWhenEnded,
  };
};

/** Logs a request whose response is complete, or was cut off by an error. */
const log = (operation: string, request: LoggedRequest, cutOff?: Error | null): void => {
  const { event, context, response } = request;
  const { elapsed, counts, fault = faultOf(cutOff), fields } = context.record;
  const line = {
    requestId: event.requestContext.requestId,
    extendedRequestId: event.requestContext.extendedRequestId,
    operation,
    keyId: event.requestContext.authorizer?.keyId,
    status: response?.statusCode,
    durationMs: elapsed(),
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
