import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { isRetryable } from '../dynamodb/failures.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RequestRecord } from '../observability/request-record.ts';
import { etagOf } from './etag.ts';
import { type StoredItem, stockOf } from './stored-item.ts';

/** Returns the error of a request whose update has failed, given the ETag that it demanded. */
export const whyNotUpdated = (
  error: unknown,
  etag: string | undefined,
  record: RequestRecord,
): unknown => {
  const isConditionFalse = error instanceof ConditionalCheckFailedException;
  // Only with an ETag does DynamoDB return the item; even then there may be none.
  if (isConditionFalse && error.Item === undefined) {
    return new ApiError('pet_not_found', 'No inventory entry has this petId.');
  }
  if (etag === undefined || !(isConditionFalse || isRetryable(error))) {
    return error;
  }
  if (record.unsettledAttempt !== undefined) {
    // It may be this request itself that has changed the item, so its state proves nothing. Such a
    // client must not try again blindly, as others may.
    return new ApiError(
      'service_unavailable',
      'It is not known whether the update was applied. Look at the entry before sending another.',
      { cause: record.unsettledAttempt },
    );
  }
  if (!isConditionFalse) {
    return error;
  }
  record.fields.precondition = 'failed';
  return preconditionFailed(error.Item as unknown as StoredItem);
};

const preconditionFailed = (item: StoredItem): ApiError => {
  const stock = stockOf(item);
  if (stock === undefined) {
    return new ApiError(
      'precondition_failed',
      'The entry is not as If-Match says, and its stored values have no ETag.',
    );
  }
  return new ApiError(
    'precondition_failed',
    'The entry is not as If-Match says. The ETag header says how it is now.',
    { headers: { ETag: etagOf(stock) } },
  );
};
