import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { quoted } from '../shared/quoted.ts';
import { type AttributeName, attributeNames, attributes } from './attributes.ts';
import type { InventoryItem, PetStatus } from './item.ts';

/**
 * An item as the table holds it, its numbers as the text that DynamoDB prints. DynamoDB guarantees
 * only the type of petId, the table's key. Anything else may be missing or wrong, because operators
 * can write items by hand.
 */
export type StoredItem = { petId: AttributeValue.NMember } & {
  [Name in AttributeName]?: AttributeValue;
};

/**
 * The error for a stored item that no response may hold. The message names its petId and what is
 * wrong.
 */
export class InvalidItemError extends Error {
  override readonly name = 'InvalidItemError';
}

const patterns = Object.fromEntries(
  attributeNames.map((name) => [name, new RegExp(`^(?:${attributes[name].pattern})$`)]),
) as Record<AttributeName, RegExp>;

/** Whether the contract allows what an item holds under a name. */
const isValid = (name: AttributeName, attribute?: AttributeValue): boolean => {
  if (attribute === undefined) {
    return attributes[name].optional ?? false;
  }
  const value = attribute[attributes[name].type];
  return value !== undefined && patterns[name].test(value);
};

/** An item of which the compiler demands each attribute, also one that may be undefined. */
export type WholeItem = { [Name in keyof Required<InventoryItem>]: InventoryItem[Name] };

/** A stored item as the contract has it, or what in it breaks the contract, as clauses. */
type ReadItem =
  | { item: WholeItem; violation?: undefined }
  | { item?: undefined; violation: string };

export const readItem = (stored: StoredItem): ReadItem => {
  if (attributeNames.every((name) => isValid(name, stored[name]))) {
    const { petId, quantity, status } = stored;
    return {
      item: {
        petId: BigInt(petId.N),
        quantity: Number(quantity?.N),
        status: status?.S as PetStatus,
      },
    };
  }
  const clauses = attributeNames
    .filter((name) => !isValid(name, stored[name]))
    .map((name) => `its ${name} is ${printed(stored[name])} but must be ${attributes[name].rule}`);
  return { violation: clauses.join('; ') };
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
