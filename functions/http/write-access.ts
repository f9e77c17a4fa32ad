import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../errors/api-error.ts';

/**
 * Returns a middleware that refuses keys that may only read. Attach it before everything that looks
 * at the request.
 * @throws ApiError `read_only_key`
 */
export const writeAccess = (): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: function requireWriteAccess({ event }) {
    // While this release is deployed, results of the previous authorizer arrive, which name no
    // access and allow only keys that may write. The next release must refuse them.
    const { access = 'write' } = event.requestContext.authorizer ?? {};
    if (access !== 'write') {
      throw new ApiError('read_only_key', 'This API key may only read.');
    }
  },
});
