import { ApiError, quoteTruncated } from '../../functions/errors/api-error.ts';
import { type InventoryItem, type PetStatus, petStatuses } from '../../functions/inventory/inventory-item.ts';
import { parseInventoryUpdate, parsePetId } from '../../functions/inventory/inventory-update.ts';
import { Numeral, numeral } from './numeral.ts';
import { type SourceLine, Unreadable } from './source-line.ts';

/** A field, empty for the whole entry, and what is wrong there. */
export type Wrong = [field: string, reason: string];

/** Reads an entry, by the rules of the API for petId and quantity; or says all that is wrong in it. */
export const checkLine = ({ value }: SourceLine): InventoryItem | Wrong[] => {
  if (value instanceof Unreadable) {
    return [['', value.reason]];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Numeral) {
    return [['', 'An entry must be an object with petId, quantity and status.']];
  }
  const { petId, quantity, status, ...others } = value as Record<string, unknown>;
  const wrong: Wrong[] = Object.keys(others).map((name) => [
    name,
    `${quoteTruncated(name)} is no property of an entry.`,
  ]);
  const checked = <Field>(field: string, check: () => Field): Field | undefined => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      wrong.push([field, error.message]);
    }
  };
  const item = {
    petId: checked('petId', () => checkPetId(petId)),
    quantity: checked('quantity', () => checkQuantity(quantity)),
    status: checked('status', () => checkStatus(status)),
  };
  return wrong.length > 0 ? wrong : (item as InventoryItem);
};

const checkPetId = (petId: unknown): bigint => {
  if (petId === undefined) {
    throw new ApiError('invalid_pet_id', 'petId is missing.');
  }
  return parsePetId(petId instanceof Numeral ? petId.text : JSON.stringify(petId));
};

const checkQuantity = (quantity: unknown): number => {
  if (quantity instanceof Numeral && !numeral.test(quantity.text)) {
    const reason = `quantity must be an integer from 0 to 9007199254740991, not ${quoteTruncated(quantity.text)}.`;
    throw new ApiError('invalid_quantity', reason);
  }
  return parseInventoryUpdate({ quantity: quantity instanceof Numeral ? quantity.toNumber() : quantity }).quantity;
};

export const isPetStatus = (value: unknown): value is PetStatus => petStatuses.includes(value as PetStatus);

const checkStatus = (status: unknown): PetStatus => {
  if (!isPetStatus(status)) {
    throw new ApiError('invalid_body', `status must be ${petStatuses.join(', ').replace(/, (\w+)$/, ' or $1')}.`);
  }
  return status;
};
