import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { InventoryError } from '../inventory/inventory-error.ts';
import { answer } from './answer.ts';
import { errorBody } from './error-codes.ts';
import { RequestError } from './request-error.ts';

/** The chain that every operation's handler starts from: whatever is thrown becomes an Error answer here. */
export const httpHandler = <Answer = APIGatewayProxyResult>(plugin?: middy.PluginObject) =>
  middy<APIGatewayProxyEvent, Answer | APIGatewayProxyResult>(plugin).onError(function errorToAnswer(request) {
    request.response = errorAnswer(request.error);
  });

const errorAnswer = (error: unknown): APIGatewayProxyResult => {
  if (error instanceof InventoryError || error instanceof RequestError) {
    const body = errorBody(error.code, error.message);
    return answer(body.status, body);
  }
  console.error(error);
  return answer(500, errorBody('internal_error', 'Something went wrong on our side. Try again later.'));
};
