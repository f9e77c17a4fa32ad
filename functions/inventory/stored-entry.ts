import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { quoteTruncated } from '../errors/api-error.ts';
import { isPetId, isPetStatus, isQuantity, petStatuses } from './inventory-item.ts';

/**
 * An entry as the table holds it: a number is its numeral, as DynamoDB prints it. DynamoDB vouches for the type of
 * petId, its key, and for nothing else: an entry may be written by hand.
 */
export interface StoredEntry {
  petId: AttributeValue.NMember;
  quantity?: AttributeValue;
  status?: AttributeValue;
}

/** A stored entry that no response may hold. The message names its petId and what is wrong. */
export class InvalidEntryError extends Error {
  override readonly name = 'InvalidEntryError';
}

const isStoredQuantity = (attribute?: AttributeValue): boolean =>
  attribute?.N !== undefined && /^(0|[1-9][0-9]{0,15})$/.test(attribute.N) && isQuantity(Number(attribute.N));

/** What is wrong with a stored status, as a clause of a sentence. */
export const statusViolation = (status?: AttributeValue): string | undefined =>
  isPetStatus(status?.S) ? undefined : `its status is ${printed(status)} and must be one of ${petStatuses.join(', ')}`;

/** What in a stored entry breaks the contract, as clauses of a sentence; undefined if nothing does. */
export const violationOf = ({ petId, quantity, status }: StoredEntry): string | undefined =>
  [
    isPetId(petId.N) ? undefined : `its petId is ${petId.N} and must be an int64`,
    isStoredQuantity(quantity)
      ? undefined
      : `its quantity is ${printed(quantity)} and must be an integer from 0 to 9007199254740991`,
    statusViolation(status),
  ]
    .filter((clause) => clause !== undefined)
    .join('; ') || undefined;

/** A stored quantity for a log line: the number, or what else is there. */
export const loggedQuantity = (quantity?: AttributeValue): number | string =>
  isStoredQuantity(quantity) ? Number(quantity?.N) : printed(quantity);

const printed = (attribute?: AttributeValue): string => {
  const text = attribute?.S === undefined ? attribute?.N : quoteTruncated(attribute.S);
  return text ?? (attribute ? 'of another type' : 'missing');
};
