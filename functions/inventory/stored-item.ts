import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { quoted } from '../shared/visible.ts';
import {
  type InventoryItem,
  isPetId,
  isPetStatus,
  isQuantity,
  type PetStatus,
  petStatuses,
  quantityRange,
} from './item.ts';

/**
 * An item as the table holds it, its numbers as the text that DynamoDB prints. DynamoDB guarantees
 * only the type of petId, the table's key. Anything else may be missing or wrong, because operators
 * can write items by hand.
 */
export interface StoredItem {
  petId: AttributeValue.NMember;
  quantity?: AttributeValue;
  status?: AttributeValue;
}

/**
 * The error for a stored item that no response may hold. The message names its petId and what is
 * wrong.
 */
export class InvalidItemError extends Error {
  override readonly name = 'InvalidItemError';
}

const isStoredQuantity = (attribute?: AttributeValue): boolean =>
  attribute?.N !== undefined &&
  /^(0|[1-9][0-9]{0,15})$/.test(attribute.N) &&
  isQuantity(Number(attribute.N));

/** A stored item as the contract has it, or what in it breaks the contract, as clauses. */
type ReadItem =
  | { item: InventoryItem; violation?: undefined }
  | { item?: undefined; violation: string };

export const readItem = ({ petId, quantity, status }: StoredItem): ReadItem => {
  const clauses: string[] = [];
  if (!isPetId(petId.N)) {
    clauses.push(`its petId is ${petId.N} but must be an int64`);
  }
  if (!isStoredQuantity(quantity)) {
    clauses.push(`its quantity is ${printed(quantity)} but must be ${quantityRange}`);
  }
  if (!isPetStatus(status?.S)) {
    clauses.push(`its status is ${printed(status)} but must be one of ${petStatuses.join(', ')}`);
  }
  return clauses.length > 0
    ? { violation: clauses.join('; ') }
    : {
        item: {
          petId: BigInt(petId.N),
          quantity: Number(quantity?.N),
          status: status?.S as PetStatus,
        },
      };
};

/** Returns the value of an attribute for a message, or why it has none. */
const printed = (attribute?: AttributeValue): string => {
  if (attribute === undefined) {
    return 'missing';
  }
  if (attribute.S !== undefined) {
    return quoted(attribute.S);
  }
  return attribute.N ?? 'of another type';
};
