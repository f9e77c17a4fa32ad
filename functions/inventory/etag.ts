import { type InventoryItem, isPetStatus, isQuantity } from './item.ts';

/** What of an item its ETag tells. */
export type Stock = Pick<InventoryItem, 'quantity' | 'status'>;

/**
 * Returns the ETag of an item, such as `"7-available"`. The contract promises this construction, so
 * that clients who have listed the items know their ETags.
 */
export const etagOf = ({ quantity, status }: Stock): string => `"${quantity}-${status}"`;

/** Returns the stock that an item with this ETag has; undefined if no item can have it. */
export const stockOfEtag = (etag: string): Stock | undefined => {
  const [, digits, status] = /^"(0|[1-9][0-9]{0,15})-([a-z]+)"$/.exec(etag) ?? [];
  const quantity = Number(digits);
  return isQuantity(quantity) && isPetStatus(status) ? { quantity, status } : undefined;
};
