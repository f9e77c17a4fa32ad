import { ApiError } from '../errors/api-error.ts';
import { quoted } from '../shared/quoted.ts';
import { type InventoryItem, isPetId, isQuantity, petIdRange, quantityRange } from './item.ts';

const body = '{"quantity": <integer>}';

/**
 * Reads an int64 from its canonical decimal form.
 * @throws ApiError `invalid_pet_id`
 */
export const parsePetId = (text: string): bigint => {
  if (!isPetId(text)) {
    throw new ApiError(
      'invalid_pet_id',
      `petId must be ${petIdRange}, in digits without leading zeros, not ${quoted(text)}.`,
    );
  }
  return BigInt(text);
};

/**
 * Reads the request to set the stock of one pet from a parsed JSON value.
 * @throws ApiError `invalid_body`, `invalid_quantity`
 */
export const parseInventoryUpdate = (value: unknown): Pick<InventoryItem, 'quantity'> => {
  if (!isObject(value)) {
    const type = typeOf(value);
    throw new ApiError('invalid_body', `The body must be a JSON object, ${body}, not ${type}.`);
  }
  const unknownName = Object.keys(value).find((name) => name !== 'quantity');
  if (unknownName !== undefined) {
    throw new ApiError(
      'invalid_body',
      `The body may have only the property quantity, not ${quoted(unknownName)}.`,
    );
  }
  const { quantity } = value;
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names the type of a JSON value for a message that must not repeat the value. */
const typeOf = (value: unknown): string => {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** Says what is wrong with a quantity, without repeating it. */
const wrongQuantity = (quantity: unknown): string => {
  if (typeof quantity !== 'number') {
    return typeOf(quantity);
  }
  if (quantity < 0) {
    return 'a negative number';
  }
  return quantity % 1 > 0 ? 'a fraction' : 'a larger number';
};
