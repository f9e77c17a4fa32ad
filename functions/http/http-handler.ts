import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { withSourceStack } from '../errors/source-stack.ts';
import { InventoryError } from '../inventory/inventory-error.ts';
import { requestLog, withDetails } from '../observability/request-log.ts';
import { answer } from './answer.ts';
import { errorBody } from './error-codes.ts';
import { RequestError } from './request-error.ts';

/** The chain that every operation's handler starts from: whatever is thrown becomes an Error answer here. */
export const httpHandler = <Answer extends { statusCode: number } = APIGatewayProxyResult>(
  operation: string,
  plugin?: middy.PluginObject,
) =>
  middy<APIGatewayProxyEvent, Answer | APIGatewayProxyResult>(plugin)
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
      ...(code === 'pet_not_found' && { counts: { NotFound: 1 } }),
    });
  }
  const code = 'internal_error';
  const body = errorBody(code, 'Something went wrong on our side. Try again later.');
  return withDetails(answer(body.status, body), { code, error: withSourceStack(error) });
};
