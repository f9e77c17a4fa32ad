import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvalidItemError, readItem, type StoredItem } from './stored-item.ts';

/** What the list needs of one page of a scan. */
export interface ListedPage {
  /** The items as JSON, separated by commas. */
  text: string;
  /** The number of items in the text. */
  entries: number;
  /** The key to continue the scan with; undefined on the last page. */
  LastEvaluatedKey?: Record<string, AttributeValue> | undefined;
}

/** A page as DynamoDB sends it, parsed. */
interface ScanPage {
  Items: StoredItem[];
  LastEvaluatedKey?: ListedPage['LastEvaluatedKey'];
}

/**
 * Reads any page that DynamoDB may send, item by item.
 * @throws InvalidItemError if an item breaks the contract
 */
export const parsePage = (page: string): ListedPage => {
  const { Items, LastEvaluatedKey } = JSON.parse(page) as ScanPage;
  return { text: Items.map(listedItem).join(','), entries: Items.length, LastEvaluatedKey };
};

const listedItem = (stored: StoredItem): string => {
  const { item, violation } = readItem(stored);
  if (violation !== undefined) {
    throw new InvalidItemError(
      `The list cannot include the entry with petId ${stored.petId.N}: ${violation}.`,
    );
  }
  const { petId, quantity, status } = item;
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;
};
