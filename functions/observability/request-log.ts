import { finished, Readable } from 'node:stream';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { errorFields, logLine } from './log-line.ts';
import type { Counts } from './metrics.ts';

/** What the line of a request says besides what every line does. */
export interface Details {
  counts?: Counts;
  /** Of an Error answer. */
  code?: string;
  /** What a 5xx came of; every 5xx has one. */
  error?: unknown;
  /** Of a change: what was changed, from what to what. petId in digits, which a reader of numbers would round. */
  petId?: string;
  quantityFrom?: number;
  quantityTo?: number;
}

interface Answer {
  statusCode: number;
  body?: unknown;
}

const detailsOf = new WeakMap<object, Details>();

/** Says what the log line of a request that is answered so has to hold. Until the body has ended, it may change. */
export const attachLogFields = <A extends Answer>(answer: A, details: Details): A => {
  detailsOf.set(answer, details);
  return answer;
};

/** Logs each request when its answer has ended. To be attached before all that makes answers. */
export const requestLog = (operation: string): MiddlewareObj<APIGatewayProxyEvent, Answer> => {
  let startedAt = 0;

  const log = ({ requestContext }: APIGatewayProxyEvent, answer: Answer, streamError?: unknown) => {
    const { counts, error = streamError, ...details } = detailsOf.get(answer) ?? {};
    const failed = error !== undefined;
    const fields = {
      requestId: requestContext.requestId,
      operation,
      keyId: requestContext.authorizer?.keyId,
      status: answer.statusCode,
      durationMs: Math.round(performance.now() - startedAt),
      ...details,
      ...(failed && errorFields(error)),
      ...(streamError !== undefined && { brokeOff: true }),
    };
    logLine(failed ? 'ERROR' : 'INFO', fields, { ...counts, ...(failed && { Faults: 1 }) });
  };

  const logAnswer = (event: APIGatewayProxyEvent, answer: Answer) => {
    if (answer.body instanceof Readable) {
      finished(answer.body, (error) => log(event, answer, error ?? undefined));
    } else {
      log(event, answer);
    }
  };

  return {
    before: function startClock() {
      startedAt = performance.now();
    },
    after: function logRequest({ event, response }) {
      logAnswer(event, response as Answer);
    },
    onError: function logFailedRequest({ event, response }) {
      logAnswer(event, response as Answer);
    },
  };
};
