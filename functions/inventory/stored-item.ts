import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { quoted } from '../shared/quoted.ts';
import { type InventoryItem, isPetId, isPetStatus, petStatuses, quantityRange } from './item.ts';
import { patterns } from './patterns.ts';

/**
 * An item as the table holds it, its numbers as the text that DynamoDB prints. DynamoDB guarantees
 * only the type of petId, the table's key. Anything else may be missing or wrong, because operators
 * can write items by hand.
 */
export type StoredItem = { petId: AttributeValue.NMember } & {
  quantity?: AttributeValue;
  status?: AttributeValue;
};

/**
 * The error for a stored item that no response may hold. The message names its petId and what is
 * wrong.
 */
export class InvalidItemError extends Error {
  override readonly name = 'InvalidItemError';
}

/** A stored item as the contract has it, or what in it breaks the contract, as clauses. */
type ReadItem =
  | { item: InventoryItem; violation?: undefined }
  | { item?: undefined; violation: string };

const quantityNumeral = new RegExp(`^(?:${patterns.quantity})$`);

export const readItem = ({ petId, quantity, status }: StoredItem): ReadItem => {
  const text = status?.S;
  const isQuantity = quantity?.N !== undefined && quantityNumeral.test(quantity.N);
  if (isPetId(petId.N) && isQuantity && isPetStatus(text)) {
    return { item: { petId: BigInt(petId.N), quantity: Number(quantity.N), status: text } };
  }
  const violations = [
    isPetId(petId.N) ? [] : `its petId is ${petId.N} but must be an int64`,
    isQuantity ? [] : `its quantity is ${printed(quantity)} but must be ${quantityRange}`,
    isPetStatus(text)
      ? []
      : `its status is ${printed(status)} but must be one of ${petStatuses.join(', ')}`,
  ];
  return { violation: violations.flat().join('; ') };
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
