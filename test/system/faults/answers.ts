import { expect } from '@jest/globals';
import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import { errorResponse } from '../../../ops/acceptance/suite/http-client.ts';
import type { HttpResponse } from '../../../ops/acceptance/suite/raw-request.ts';
import { errors, type Rejection } from '../../support/http/rejections.ts';

/**
 * What a client sees. The headers are checked against openapi.yaml. `cut` is a response that ends
 * early.
 */
export type Answer = { status: number | 'cut'; body?: unknown; [part: string]: unknown };

/** Sends a request and returns what the client sees. */
export const answerTo = async (send: () => Promise<HttpResponse>): Promise<Answer> => {
  const began = performance.now();
  try {
    const { status, body, headers } = await send();
    const isInTime = performance.now() - began < functionTimeout;
    return { status, body, isInTime, ...(headers.etag && { etag: headers.etag }) };
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    return { status: 'cut' };
  }
};

export const inTime = (answer: Answer): Answer => ({ ...answer, isInTime: true });

export const error = (...parts: Rejection): Answer => inTime(errorResponse(...parts));

/** Returns the failures of an update or a list that have one of these statuses. */
export const failuresWith = (...statuses: (number | 'cut')[]): Answer[] =>
  Object.values(errors).flatMap((parts) => (statuses.includes(parts[0]) ? [error(...parts)] : []));
