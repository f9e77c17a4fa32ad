import { InvalidArgumentError } from 'commander';
import { ApiError } from '../../functions/errors/api-error.ts';
import { parsePetId } from '../../functions/inventory/inventory-update.ts';

/** Reads a petId of the command line by the rules of the API. */
export const petIdArgument = (text: string): bigint => {
  try {
    return parsePetId(text);
  } catch (error) {
    throw error instanceof ApiError ? new InvalidArgumentError(error.message) : error;
  }
};
