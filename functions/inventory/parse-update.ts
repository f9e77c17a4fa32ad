import { ApiError, quoteTruncated } from '../errors/api-error.ts';
import { type InventoryItem, isPetId, isQuantity } from './item.ts';

const body = '{"quantity": <integer>}';
const quantityRange = 'an integer from 0 to 9007199254740991';

/**
 * Reads an int64 from its canonical decimal form.
 * @throws ApiError `invalid_pet_id`
 */
export const parsePetId = (text: string): bigint => {
  if (!isPetId(text)) {
    const range =
      'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
    throw new ApiError('invalid_pet_id', `petId must be ${range}, not ${quoteTruncated(text)}.`);
  }
  return BigInt(text);
};

/**
 * Reads the request to set the stock of one pet from a parsed JSON value.
 * @throws ApiError `invalid_body`, `invalid_quantity`
 */
export const parseInventoryUpdate = (value: unknown): Pick<InventoryItem, 'quantity'> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(
      'invalid_body',
      `The body must be a JSON object, ${body}, not ${kindOf(value)}.`,
    );
  }
  const { quantity, ...others } = value as Record<string, unknown>;
  const [name] = Object.keys(others);
  if (name !== undefined) {
    throw new ApiError(
      'invalid_body',
      `The body must have no property but quantity, and has ${quoteTruncated(name)}.`,
    );
  }
  if (quantity === undefined) {
    throw new ApiError('invalid_quantity', `quantity is missing: it must be ${quantityRange}.`);
  }
  if (!isQuantity(quantity)) {
    throw new ApiError(
      'invalid_quantity',
      `quantity must be ${quantityRange}, not ${wrongQuantity(quantity)}.`,
    );
  }
  return { quantity };
};

/** Names the type of a JSON value for a message that must not repeat the value. */
const kindOf = (value: unknown): string => {
  if (typeof value !== 'object') {
    return `a ${typeof value}`;
  }
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
};

const wrongQuantity = (quantity: unknown): string => {
  if (typeof quantity !== 'number') {
    return kindOf(quantity);
  }
  const tooLarge = quantity > Number.MAX_SAFE_INTEGER;
  return quantity < 0 ? 'a negative number' : tooLarge ? 'a larger number' : 'a fraction';
};
