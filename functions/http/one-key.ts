import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../errors/api-error.ts';
import { headerValues } from './request-parts.ts';

/**
 * Returns a middleware that refuses a request with two keys: the authorizer may have checked one,
 * and the firewall counted the other.
 * @throws ApiError `bad_request`
 */
export const oneKey = (): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: function requireOneKey({ event }) {
    if (headerValues(event, 'authorization').length > 1) {
      throw new ApiError('bad_request', 'The request must have one Authorization header.');
    }
  },
});
