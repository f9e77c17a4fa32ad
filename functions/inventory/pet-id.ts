import { ApiError, quoteTruncated } from '../errors/api-error.ts';

const integer = /^(0|-?[1-9][0-9]{0,18})$/;

/**
 * Reads an int64 from its canonical decimal form: no plus sign, no leading zeros, no exponent.
 * @throws ApiError `invalid_pet_id`
 */
export const parsePetId = (text: string): bigint => {
  const petId = integer.test(text) ? BigInt(text) : undefined;
  if (petId === undefined || BigInt.asIntN(64, petId) !== petId) {
    throw new ApiError(
      'invalid_pet_id',
      'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros, ' +
        `not ${quoteTruncated(text)}.`,
    );
  }
  return petId;
};
