import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { isRetryable } from '../dynamodb/transient-error.ts';
import { ApiError, errorBody, retryAfter } from '../errors/api-error.ts';
import { attachLogFields, requestLog } from '../observability/request-log.ts';
import { mapStack } from '../observability/source-stack.ts';
import { timeoutMargin } from '../shared/time-limits.ts';
import { jsonResponse } from './json-response.ts';

/** The chain that every operation's handler starts from: whatever is thrown becomes an Error answer here. */
export const httpHandler = <Answer extends { statusCode: number } = APIGatewayProxyResult>(
  operation: string,
  plugin?: middy.PluginObject,
) =>
  middy<APIGatewayProxyEvent, Answer | APIGatewayProxyResult>({
    timeoutEarlyInMillis: timeoutMargin,
    timeoutEarlyResponse: () => {
      throw new ApiError('gateway_timeout', 'The request took too long. Try again later.');
    },
    ...plugin,
  })
    .use(requestLog(operation) as middy.MiddlewareObj)
    .onError(function errorToResponse(request) {
      request.response = errorResponse(request.error);
    });

const errorResponse = (error: unknown): APIGatewayProxyResult => {
  if (error instanceof ApiError) {
    const { code, message } = error;
    const body = errorBody(code, message);
    return attachLogFields(jsonResponse(body.status, body), {
      code,
      ...(body.status >= 500 && { error }),
      ...(code === 'pet_not_found' && { counts: { NotFound: 1 } }),
    });
  }
  const body = isRetryable(error)
    ? errorBody('service_unavailable', 'The inventory cannot be reached for the moment. Try again.')
    : errorBody('internal_error', 'Something went wrong on our side. Try again later.');
  const { headers, ...result } = jsonResponse(body.status, body);
  return attachLogFields(
    { ...result, headers: { ...headers, ...(body.status === 503 && { 'Retry-After': retryAfter }) } },
    { code: body.code, error: mapStack(error) },
  );
};
