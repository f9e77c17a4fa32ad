import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors/api-error.ts';
import { etagOf } from './etag.ts';
import type { Receipt } from './receipt.ts';
import { readItem, type StoredItem } from './stored-item.ts';

type Outcome = Pick<Receipt, 'outcome' | 'etag'>;

/** Returns why an update is refused that finds this item, or none. */
export const reasonFor = (found: Record<string, AttributeValue> | undefined): Outcome => {
  if (found === undefined) {
    return { outcome: 'pet_not_found' };
  }
  const { item } = readItem(found as StoredItem);
  return { outcome: 'precondition_failed', ...(item && { etag: etagOf(item) }) };
};

/** Returns what a client gets whose update is refused. */
export const refusal = ({ outcome, etag }: Outcome): ApiError => {
  if (outcome === 'pet_not_found') {
    return new ApiError('pet_not_found', 'No inventory entry has this petId.');
  }
  const message =
    etag === undefined
      ? "The entry doesn't match If-Match, and has no valid ETag: its stored data is damaged."
      : 'The entry does not match If-Match. The ETag that it had is in the ETag header.';
  return new ApiError('precondition_failed', message, { headers: { ETag: etag } });
};

/** Returns what a client gets whose Idempotency-Key another request has, of which this became. */
export const alreadyUsed = ({ outcome, etag }: Outcome): ApiError =>
  outcome === 'applied'
    ? new ApiError(
        'already_applied',
        'Another request with this Idempotency-Key was applied, and this one was not. If both were ' +
          'to do the same, it is done.',
        { headers: { ETag: etag } },
      )
    : new ApiError(
        'already_refused',
        'Another request with this Idempotency-Key was refused, and this one was not applied. Look ' +
          'at the entry, and decide again with a new Idempotency-Key.',
        { headers: { ETag: etag } },
      );
