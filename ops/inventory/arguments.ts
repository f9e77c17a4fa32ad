import { InvalidArgumentError } from 'commander';
import { isPetId, isQuantity } from '../../functions/inventory/item.ts';

/** Reads a petId, with every digit. */
export const parsePetId = (text: string): bigint => {
  if (!isPetId(text)) {
    throw new InvalidArgumentError('It must be an int64 in digits without leading zeros.');
  }
  return BigInt(text);
};

/** Reads a quantity. */
export const parseQuantity = (text: string): number => {
  const quantity = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
  if (!isQuantity(quantity)) {
    throw new InvalidArgumentError(
      'It must be an integer from 0 to 9007199254740991, in digits without leading zeros.',
    );
  }
  return quantity;
};
