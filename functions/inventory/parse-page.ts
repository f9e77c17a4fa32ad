import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvalidItemError, type StoredItem, violationOf } from './stored-item.ts';

/** Entries as they are listed. */
export interface ListedEntries {
  /** The entries as JSON, separated by commas. */
  text: string;
  /** The number of entries in the text. */
  entries: number;
}

/** What the list needs of one page of a scan. */
export interface ListedPage extends ListedEntries {
  /** The key to continue the scan with; undefined on the last page. */
  LastEvaluatedKey?: Record<string, AttributeValue> | undefined;
}

/** A page as DynamoDB sends it, parsed. */
interface ScanPage {
  Items: StoredItem[];
  LastEvaluatedKey?: ListedPage['LastEvaluatedKey'];
}

/**
 * Reads any page that DynamoDB may send, entry by entry.
 * @throws InvalidItemError if an entry breaks the contract
 */
export const parsePage = (page: string): ListedPage => {
  const { Items, LastEvaluatedKey } = JSON.parse(page) as ScanPage;
  return { ...printEntries(Items), LastEvaluatedKey };
};

/** @throws InvalidItemError if an entry breaks the contract */
export const printEntries = (entries: StoredItem[]): ListedEntries => ({
  text: entries.map(toJson).join(','),
  entries: entries.length,
});

// DynamoDB's numerals are copied as text, which keeps every digit and needs no bigint.
const toJson = (entry: StoredItem): string => {
  const violation = violationOf(entry);
  if (violation !== undefined) {
    throw new InvalidItemError(
      `The list cannot have the entry with petId ${entry.petId.N}: ${violation}.`,
    );
  }
  return `{"petId":${entry.petId.N},"quantity":${entry.quantity?.N},"status":"${entry.status?.S}"}`;
};
