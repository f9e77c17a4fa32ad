import type { MiddlewareObj } from '@middy/core';
import { ApiError } from '../errors/api-error.ts';
import type { ApiRequest } from './request.ts';

/**
 * Returns a middleware that refuses a request with two keys: the authorizer may have checked one,
 * and the firewall counted the other.
 * @throws ApiError `bad_request`
 */
export const oneKey = (): MiddlewareObj<ApiRequest> => ({
  before: function requireOneKey({ event: { headers } }) {
    const keys = headers.get('authorization')?.length ?? 0;
    if (keys > 1) {
      throw new ApiError('bad_request', 'The request must have exactly one Authorization header.');
    }
  },
});

/**
 * Returns a middleware that refuses every key but those that may write. Attach it before everything
 * that looks at the rest of the request.
 * @throws ApiError `read_only_key`
 */
export const writeAccess = (): MiddlewareObj<ApiRequest> => ({
  before: function requireWriteAccess({ event: { access } }) {
    if (access !== 'write') {
      throw new ApiError('read_only_key', 'This API key is read-only.');
    }
  },
});
