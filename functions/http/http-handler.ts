import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Attempts } from '../dynamodb/attempts.ts';
import { isRetryable } from '../dynamodb/transient-error.ts';
import { ApiError, errorBody, retryAfter } from '../errors/api-error.ts';
import { attachLogFields, requestLog } from '../observability/request-log.ts';
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
      const error = withCause(request.error, attemptsOf(request.context));
      request.response = errorResponse(error);
    });

/** Returns an error. The cause of a timeout is what failed before the time was over. */
const withCause = (error: unknown, { lastError }: Attempts): unknown => {
  if (error instanceof ApiError && error.code === 'gateway_timeout' && lastError !== undefined) {
    error.cause = lastError;
  }
  return error;
};

const errorResponse = (error: unknown): APIGatewayProxyResult => {
  const { code, message } = toApiError(error);
  const body = errorBody(code, message);
  const headers = body.status === 503 ? { 'Retry-After': retryAfter } : {};
  return attachLogFields(jsonResponse(body.status, body, headers), {
    code,
    ...(body.status >= 500 && { error }),
    ...(code === 'pet_not_found' && { counts: { NotFound: 1 } }),
  });
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
