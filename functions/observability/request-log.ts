import { finished, type Stream } from 'node:stream';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Counts, embeddedMetrics } from './metrics.ts';

/** What the line of a request says besides what every line does. Nothing secret may be in it. */
export interface Details {
  counts: Counts;
  /** Of a change: what was changed, from what to what. */
  petId?: string;
  quantityFrom?: number;
  quantityTo?: number;
}

interface Answer {
  statusCode: number;
  body?: unknown;
}

const detailsOf = new WeakMap<object, Details>();

/** Says what the log line of the request that is answered so has to hold. Until the body has ended, it may change. */
export const withDetails = <A extends Answer>(answer: A, details: Details): A => {
  detailsOf.set(answer, details);
  return answer;
};

let coldStart = true;

/** Writes one line of JSON for each request, when its answer has ended. Attach it first, so that it sees the answer. */
export const requestLog = (operation: string): MiddlewareObj<APIGatewayProxyEvent, Answer> => {
  let startedAt = 0;

  const write = (event: APIGatewayProxyEvent, answer: Answer, brokeOff: boolean) => {
    const { counts, ...details } = detailsOf.get(answer) ?? { counts: {} };
    const failed = brokeOff || answer.statusCode >= 500;
    const line = {
      timestamp: new Date().toISOString(),
      level: failed ? 'ERROR' : 'INFO',
      requestId: event.requestContext.requestId,
      operation,
      keyId: event.requestContext.authorizer?.keyId,
      status: answer.statusCode,
      durationMs: Math.round(performance.now() - startedAt),
      ...(brokeOff && { brokeOff }),
      ...details,
      ...embeddedMetrics({ ...counts, ...(failed && { Faults: 1 }), ...(coldStart && { ColdStarts: 1 }) }),
    };
    coldStart = false;
    // Not by console, which wraps what it is given: CloudWatch finds metrics only at the top of a line.
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };

  const logAnswer = ({ event, response }: { event: APIGatewayProxyEvent; response: Answer | null | undefined }) => {
    if (!response) {
      return;
    }
    if (typeof response.body === 'object' && response.body !== null) {
      finished(response.body as Stream as never, (error) => write(event, response, Boolean(error)));
    } else {
      write(event, response, false);
    }
  };

  return {
    before: function startClock() {
      startedAt = performance.now();
    },
    after: function logRequest(request) {
      logAnswer(request);
    },
    onError: function logFailedRequest(request) {
      logAnswer(request);
    },
  };
};
