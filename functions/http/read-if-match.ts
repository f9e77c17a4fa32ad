import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError, quoteTruncated } from '../errors/api-error.ts';
import { requestHeader } from './request-parts.ts';

/** One entity tag (RFC 9110, 8.8.3), weak or not. */
const entityTag = /^(W\/)?"[!#-~\u0080-\uffff]*"$/;

/**
 * Returns the one ETag, or the `*`, of the header If-Match; undefined if the client sent none.
 * @throws ApiError `invalid_if_match`
 */
export const readIfMatch = (event: APIGatewayProxyEvent): string | undefined => {
  if (requestHeader(event, 'if-none-match') !== undefined) {
    throw new ApiError(
      'invalid_if_match',
      'If-None-Match is not supported. Send If-Match with one ETag, such as "7-available".',
    );
  }
  const value = requestHeader(event, 'if-match');
  if (value !== undefined && value !== '*' && !entityTag.test(value)) {
    throw new ApiError(
      'invalid_if_match',
      `If-Match must be one ETag, such as "7-available", or *, not ${quoteTruncated(value)}.`,
    );
  }
  return value;
};
