import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Attempts } from '../dynamodb/attempts.ts';
import { isRetryable } from '../dynamodb/transient-error.ts';
import { ApiError, errorBody, retryAfter } from '../errors/api-error.ts';
import { attachLogFields, type LogFields, requestLog } from '../observability/request-log.ts';
import { toJson } from '../shared/json.ts';
import { timeoutMargin } from '../shared/time-limits.ts';

/** Returns a proxy result with a JSON body. */
export const jsonResponse = (
  statusCode: number,
  body: unknown,
  headers = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: toJson(body),
});

const attemptsByContext = new WeakMap<Context, Attempts>();

/** Returns the attempts to reach DynamoDB of the invocation with this context. */
export const attemptsOf = (context: Context): Attempts => {
  const attempts = attemptsByContext.get(context) ?? {};
  attemptsByContext.set(context, attempts);
  return attempts;
};

/**
 * Starts the middleware chain of an operation. It logs every request and turns every error into an
 * Error response.
 */
export const httpHandler = <Response extends { statusCode: number } = APIGatewayProxyResult>(
  operation: string,
  timeoutEarlyInMillis = timeoutMargin,
) =>
  middy<APIGatewayProxyEvent, Response | APIGatewayProxyResult>({
    timeoutEarlyInMillis,
    timeoutEarlyResponse: () => {
      throw new ApiError('gateway_timeout', 'The request took too long. Try again later.');
    },
  })
    .use(requestLog(operation) as middy.MiddlewareObj)
    .onError(function errorToResponse(request) {
      const { error, context } = request;
      explainTimeout(error, attemptsOf(context));
      request.response = errorResponse(error);
    });

/** Gives a timeout its cause: what failed before the time was over, if anything did. */
const explainTimeout = (error: unknown, { lastError }: Attempts): void => {
  if (error instanceof ApiError && error.code === 'gateway_timeout') {
    error.cause = lastError;
  }
};

const errorResponse = (error: unknown): APIGatewayProxyResult => {
  const { code, message } = toApiError(error);
  const body = errorBody(code, message);
  const headers = body.status === 503 ? { 'Retry-After': retryAfter } : {};
  const fields: LogFields = { code };
  if (body.status >= 500) {
    fields.error = error;
  }
  if (code === 'pet_not_found') {
    fields.counts = { NotFound: 1 };
  }
  return attachLogFields(jsonResponse(body.status, body, headers), fields);
};

const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) {
    return error;
  }
  return isRetryable(error)
    ? new ApiError(
        'service_unavailable',
        'The inventory cannot be reached for the moment. Try again.',
      )
    : new ApiError('internal_error', 'Something went wrong on our side. Try again later.');
};
