import { ApiError } from '../errors/api-error.ts';
import { type HeaderValues, headerValue } from '../http/request.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { unquoted } from '../shared/quoted.ts';
import { isPetStatus, isQuantity, type Stock } from './item.ts';

/**
 * Returns the ETag of an item, such as `"7-available"`. The contract promises this construction, so
 * that clients who have listed the items know their ETags.
 */
export const etagOf = ({ quantity, status }: Stock): string => `"${quantity}-${status}"`;

/** Returns the stock that an item with this ETag has; undefined if no item can have it. */
export const stockOfEtag = (etag: string): Stock | undefined => {
  const { digits, status } = /^"(?<digits>0|[1-9][0-9]*)-(?<status>.+)"$/.exec(etag)?.groups ?? {};
  const quantity = Number(digits);
  return isQuantity(quantity) && isPetStatus(status) ? { quantity, status } : undefined;
};

/** One entity tag (RFC 9110, 8.8.3), weak or not. */
const entityTag = /^(W\/)?"[!#-~\u0080-\uffff]*"$/;

/**
 * Returns the one ETag, or the `*`, of the header If-Match; undefined if the client sent none.
 * @throws ApiError `invalid_if_match`
 */
export const readIfMatch = (headers: HeaderValues): string | undefined => {
  if (headers.has('if-none-match')) {
    throw new ApiError(
      'invalid_if_match',
      'If-None-Match is not supported. Send If-Match with one ETag, such as "7-available".',
    );
  }
  const value = headerValue(headers, 'if-match');
  if (value !== undefined && value !== '*' && !entityTag.test(value)) {
    // Quotes around it would hide that its own are missing.
    const given = value === '' ? 'but is empty' : `not ${unquoted(value)}`;
    throw new ApiError(
      'invalid_if_match',
      `If-Match must be * or one ETag, such as "7-available", ${given}.`,
    );
  }
  return value;
};

/**
 * Returns what a log line says of an If-Match: the value if it has the form of our tags, else only
 * its length. It may be anything, even an API key that somebody has put there.
 */
export const loggedIfMatch = (value: string | undefined): RequestRecord['fields'] => {
  if (value === undefined) {
    return {};
  }
  const isTag = /^(\*|"[0-9]{1,16}-[a-z_-]{1,16}")$/.test(value);
  return isTag ? { ifMatch: value } : { ifMatchLength: value.length };
};
