import { finished, Readable } from 'node:stream';
import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { errorFields, logLine } from './log-line.ts';
import type { Counts } from './metrics.ts';

/** What the log line of one request says besides what every line does. */
export interface LogFields {
  counts?: Counts;
  /** Of an Error response. */
  code?: string;
  /** The cause of a 5xx; every 5xx has one. */
  error?: unknown;
  /** Of a change: what was changed, from what to what. petId in digits, which a reader of numbers would round. */
  petId?: string;
  quantityFrom?: number | string;
  quantityTo?: number;
}

interface Response {
  statusCode: number;
  body?: unknown;
}

const logFieldsOf = new WeakMap<object, LogFields>();

/** Says what the log line of the request with this response has to hold. Until the body ends, it may change. */
export const attachLogFields = <R extends Response>(response: R, fields: LogFields): R => {
  logFieldsOf.set(response, fields);
  return response;
};

/** A body that is closed without an error, and before its end: nobody reads it any more, which is no fault of ours. */
const isCancelled = (error?: unknown): boolean =>
  (error as { code?: string } | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Logs each request when its response has ended. To be attached before all that makes responses. */
export const requestLog = (operation: string): MiddlewareObj<APIGatewayProxyEvent, Response> => {
  let startedAt = 0;

  const log = ({ requestContext }: APIGatewayProxyEvent, response: Response, cutOff?: unknown) => {
    const { counts, error = isCancelled(cutOff) ? undefined : cutOff, ...details } = logFieldsOf.get(response) ?? {};
    const failed = error !== undefined;
    const fields = {
      requestId: requestContext.requestId,
      extendedRequestId: requestContext.extendedRequestId,
      operation,
      keyId: requestContext.authorizer?.keyId,
      status: response.statusCode,
      durationMs: Math.round(performance.now() - startedAt),
      ...details,
      ...(failed && errorFields(error)),
      ...(cutOff !== undefined && { brokeOff: true }),
    };
    logLine(failed ? 'ERROR' : 'INFO', fields, { ...counts, ...(failed && { Faults: 1 }) });
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
      startedAt = performance.now();
    },
    after: logWhenEnded,
    onError: logWhenEnded,
  };
};
