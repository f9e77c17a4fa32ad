import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { kindOf } from '../dynamodb/failures.ts';
import {
  ApiError,
  errorBody,
  ourFault,
  retryAfter,
  tooLate,
  unavailable,
} from '../errors/api-error.ts';
import {
  type RecordedContext,
  type RequestRecord,
  requestLog,
} from '../observability/request-log.ts';
import { toJson } from '../shared/json.ts';
import { timeoutMargin } from '../shared/time-limits.ts';
import { oneKey } from './guards.ts';
import { type ApiRequest, readRequest } from './request.ts';

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

/** Returns the Lambda function for a handler of requests. */
export const lambdaFunction =
  <Response>(respond: (request: ApiRequest, context: RecordedContext) => Promise<Response>) =>
  (event: APIGatewayProxyEvent, context: Context): Promise<Response> =>
    respond(readRequest(event), context as RecordedContext);

/**
 * Starts the middleware chain of an operation. It logs every request and turns every error into an
 * Error response.
 */
export const httpHandler = <Response extends { statusCode: number } = APIGatewayProxyResult>(
  operation: string,
  timeoutEarlyInMillis = timeoutMargin,
) =>
  middy<ApiRequest, Response | APIGatewayProxyResult, Error, RecordedContext>({
    timeoutEarlyInMillis,
    timeoutEarlyResponse: () => {
      throw new ApiError('gateway_timeout', tooLate);
    },
  })
    .use(requestLog(operation) as middy.MiddlewareObj)
    .use(oneKey())
    .onError(function errorToResponse(request) {
      const { record } = request.context;
      const error = explainTimeout(request.error, record);
      const { code, message, headers } = toApiError(error);
      const body = errorBody(code, message);
      record.fields.code = code;
      if (body.status >= 500) {
        record.fault = error;
      }
      const retry = body.status === 503 ? { 'Retry-After': retryAfter } : {};
      request.response = jsonResponse(body.status, body, {
        ...retry,
        ...record.headers,
        ...headers,
      });
    });

/**
 * Gives our own timeout its cause: what failed before the time was over, if anything did. Returns
 * any other error as it is.
 */
const explainTimeout = (error: unknown, { failedAttempt }: RequestRecord): unknown =>
  error instanceof ApiError && error.code === 'gateway_timeout'
    ? new ApiError(error.code, error.message, { cause: failedAttempt })
    : error;

const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) {
    return error;
  }
  const { code } = kindOf(error);
  return new ApiError(code, code === 'internal_error' ? ourFault : unavailable);
};
