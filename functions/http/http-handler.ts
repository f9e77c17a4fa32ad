import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { isUnavailable } from '../dynamodb/unavailable.ts';
import { withSourceStack } from '../errors/source-stack.ts';
import { InventoryError } from '../inventory/inventory-error.ts';
import { requestLog, withDetails } from '../observability/request-log.ts';
import { lastWords } from '../time-limits.ts';
import { answer } from './answer.ts';
import { errorBody, retryAfter } from './error-codes.ts';
import { RequestError } from './request-error.ts';

/** The chain that every operation's handler starts from: whatever is thrown becomes an Error answer here. */
export const httpHandler = <Answer extends { statusCode: number } = APIGatewayProxyResult>(
  operation: string,
  plugin?: middy.PluginObject,
) =>
  middy<APIGatewayProxyEvent, Answer | APIGatewayProxyResult>({
    timeoutEarlyInMillis: lastWords,
    timeoutEarlyResponse: () => {
      throw new RequestError('gateway_timeout', 'The request took too long. Try again later.');
    },
    ...plugin,
  })
    .use(requestLog(operation) as middy.MiddlewareObj)
    .onError(function errorToAnswer(request) {
      request.response = errorAnswer(request.error);
    });

const errorAnswer = (error: unknown): APIGatewayProxyResult => {
  if (error instanceof InventoryError || error instanceof RequestError) {
    const { code, message } = error;
    const body = errorBody(code, message);
    return withDetails(answer(body.status, body), {
      code,
      ...(body.status >= 500 && { error }),
      ...(code === 'pet_not_found' && { counts: { NotFound: 1 } }),
    });
  }
  const body = isUnavailable(error)
    ? errorBody('service_unavailable', 'The inventory cannot be reached for the moment. Try again.')
    : errorBody('internal_error', 'Something went wrong on our side. Try again later.');
  const { headers, ...result } = answer(body.status, body);
  return withDetails(
    { ...result, headers: { ...headers, ...(body.status === 503 && { 'Retry-After': retryAfter }) } },
    { code: body.code, error: withSourceStack(error) },
  );
};
