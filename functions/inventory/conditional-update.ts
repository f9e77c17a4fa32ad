import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { ApiError, outcomeUnknown } from '../errors/api-error.ts';
import { type HeaderValues, headerValue } from '../http/request.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { unquoted } from '../shared/visible.ts';
import { isPetStatus, isQuantity, type Stock } from './item.ts';
import { type StoredItem, stockOf } from './stored-item.ts';

/**
 * Returns the ETag of an item, such as `"7-available"`. The contract promises this construction, so
 * that clients who have listed the items know their ETags.
 */
export const etagOf = ({ quantity, status }: Stock): string => `"${quantity}-${status}"`;

/** Returns the stock that an item with this ETag has; undefined if no item can have it. */
export const stockOfEtag = (etag: string): Stock | undefined => {
  const [, digits, status] = /^"(0|[1-9][0-9]{0,15})-(.+)"$/.exec(etag) ?? [];
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

/** Returns the condition that an item has this ETag. */
export const ifStockIs = (etag: string) => {
  const stock = stockOfEtag(etag);
  return stock === undefined
    ? // Never true, because no item can have this ETag.
      { expression: 'attribute_exists(petId) AND attribute_not_exists(petId)' }
    : {
        expression: '#quantity = :currentQuantity AND #status = :currentStatus',
        names: { '#quantity': 'quantity', '#status': 'status' },
        values: { ':currentQuantity': stock.quantity, ':currentStatus': stock.status },
      };
};

/**
 * Returns the error of a request whose update has failed. A false condition says something of the
 * entry only if every earlier attempt is settled: one that is not may have changed the entry, or
 * may still do so.
 */
export const whyNotUpdated = (
  error: unknown,
  { unsettledAttempt, fields }: RequestRecord,
  etag: string | undefined,
): unknown => {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof IdempotentParameterMismatchException) {
    return new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key has already been used. This request was not applied.',
    );
  }
  const failed = failedCondition(error);
  if (unsettledAttempt !== undefined && (failed || etag !== undefined)) {
    return etag === undefined ? unsettledAttempt : outcomeUnknown(unsettledAttempt);
  }
  if (failed === undefined) {
    return error;
  }
  // Only with an ETag does DynamoDB return the item; even then there may be none.
  if (failed.Item === undefined) {
    return new ApiError('pet_not_found', 'No inventory entry has this petId.');
  }
  fields.precondition = 'failed';
  return preconditionFailed(failed.Item as unknown as StoredItem);
};

/** Returns what DynamoDB says of a false condition; undefined if the error is another. */
export const failedCondition = (error: unknown): { Item?: object | undefined } | undefined => {
  if (error instanceof TransactionCanceledException) {
    return error.CancellationReasons?.find(({ Code }) => Code === 'ConditionalCheckFailed');
  }
  return error instanceof ConditionalCheckFailedException ? error : undefined;
};

const preconditionFailed = (item: StoredItem): ApiError => {
  const stock = stockOf(item);
  if (stock === undefined) {
    return new ApiError(
      'precondition_failed',
      "The entry doesn't match If-Match, and has no valid ETag: its stored data is damaged.",
    );
  }
  return new ApiError(
    'precondition_failed',
    'The entry no longer matches If-Match. Its current ETag is in the ETag header.',
    { headers: { ETag: etagOf(stock) } },
  );
};
