import { InventoryError } from './inventory-error.ts';

/** The request to set the stock of one pet. */
export interface InventoryUpdate {
  /** Integer from 0 to 9007199254740991. */
  quantity: number;
}

/**
 * Reads an InventoryUpdate from a parsed JSON value.
 * @throws InventoryError `invalid_body`, `invalid_quantity`
 */
export const parseInventoryUpdate = (value: unknown): InventoryUpdate => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InventoryError('invalid_body', 'The body must be a JSON object: {"quantity": <integer>}.');
  }
  const { quantity, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0) {
    throw new InventoryError('invalid_body', 'The body must have no property but quantity.');
  }
  if (!Number.isSafeInteger(quantity) || (quantity as number) < 0) {
    const verb = quantity === undefined ? 'is required and must' : 'must';
    throw new InventoryError('invalid_quantity', `quantity ${verb} be an integer from 0 to 9007199254740991.`);
  }
  return { quantity: quantity as number };
};
