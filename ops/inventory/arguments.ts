import { InvalidArgumentError } from 'commander';
import { type Column, isValid, rules } from './check-entry.ts';

/** Reads a petId, with every digit. */
export const petIdArgument = (text: string): bigint => BigInt(checked('petId', text));

/** Reads a quantity. */
export const quantityArgument = (text: string): number => Number(checked('quantity', text));

const checked = (column: Column, text: string): string => {
  if (!isValid[column](text)) {
    throw new InvalidArgumentError(`It must be ${rules[column]}.`);
  }
  return text;
};
