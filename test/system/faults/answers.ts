import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import { contract, errorResponse, type HttpResponse } from '../../support/http-client.ts';

/** Everything about a response that a client goes by. */
export interface Answer {
  status: number;
  contentType: string | undefined;
  body: unknown;
  retryAfter: string | undefined;
  /** Whether it was there within a function's time limit. */
  inTime: boolean;
}

/** Sends a request and tells what comes back. */
export const answer = async (send: () => Promise<HttpResponse>): Promise<Answer> => {
  const began = performance.now();
  const response = await send();
  const inTime = performance.now() - began < functionTimeout;
  return { ...contract(response), retryAfter: response.headers['retry-after'], inTime };
};

/** What a client is to be told. */
export const told = (status: number, body: unknown): Answer => {
  const retryAfter = status === 503 ? '1' : undefined;
  return { status, contentType: 'application/json', body, retryAfter, inTime: true };
};

const error = (status: number, code: string, message: string) =>
  told(status, errorResponse(status, code, message).body);

/** Of requests that something happens to, by status. */
export const answers: Record<number, Answer> = {
  401: error(
    401,
    'unauthorized',
    'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
  ),
  404: error(404, 'pet_not_found', 'No inventory entry has this petId.'),
  500: error(500, 'internal_error', 'Something went wrong on our side. Try again later.'),
  503: error(503, 'service_unavailable', 'The inventory cannot be reached for the moment. Try again.'),
  504: error(504, 'gateway_timeout', 'The request took too long. Try again later.'),
};

export const uncheckedKey = error(500, 'internal_error', 'The API key could not be checked. Try again later.');
