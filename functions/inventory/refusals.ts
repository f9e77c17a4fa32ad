import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors/api-error.ts';
import { etagOf } from './etag.ts';
import { readItem, type StoredItem } from './stored-item.ts';

/**
 * Returns what the client gets if DynamoDB has refused an update: its condition is false, or its
 * token is taken. Undefined if it has failed in another way.
 */
export const refusalOf = (error: unknown): ApiError | undefined => {
  if (error instanceof IdempotentParameterMismatchException) {
    return new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key has already been used. This request was not applied.',
    );
  }
  const refused = failedCondition(error);
  if (refused === undefined) {
    return undefined;
  }
  // Only an update with an ETag asks for the item; even then there may be none.
  return refused.Item === undefined
    ? new ApiError('pet_not_found', 'No inventory entry has this petId.')
    : preconditionFailed(refused.Item as unknown as StoredItem);
};

/** Returns what DynamoDB says of a false condition; undefined if the error is another. */
const failedCondition = (error: unknown): { Item?: object | undefined } | undefined => {
  if (error instanceof TransactionCanceledException) {
    return error.CancellationReasons?.find(({ Code }) => Code === 'ConditionalCheckFailed');
  }
  return error instanceof ConditionalCheckFailedException ? error : undefined;
};

const preconditionFailed = (item: StoredItem): ApiError => {
  const stock = readItem(item).item;
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
