import { isPetId, isQuantity } from '../../functions/inventory/item.ts';
import { invalidValue } from '../cli/arguments.ts';

interface Rule {
  isValid(text: string): boolean;
  /** What to say about a text that is not valid. */
  reason: string;
}

/** Returns the number that a text with a plus sign or leading zeros, such as 042, stands for. */
const plainNumber = (text: string): string | undefined => {
  const [, number] = /^\+?(-?\d{1,20})$/.exec(text) ?? [];
  return number === undefined ? undefined : String(BigInt(number));
};

/** Returns a valid text. Rejects another, and asks whether a plain number was meant. */
const parse = (text: string, { isValid, reason }: Rule): string => {
  if (isValid(text)) {
    return text;
  }
  const meant = plainNumber(text);
  const isLikely = meant !== undefined && isValid(meant);
  return invalidValue(isLikely ? `Did you mean ${meant}?` : reason);
};

/** Reads the petId of an entry that keeps the contract of the API. */
export const parseValidPetId = (text: string): string =>
  parse(text, {
    isValid: isPetId,
    reason: 'It must be an int64, in digits without leading zeros.',
  });

/**
 * Reads any number that DynamoDB may print, since the petId of a broken entry need not be an int64.
 */
export const parseStoredPetId = (text: string): string =>
  parse(text, {
    isValid: (number) => /^-?(0|[1-9]\d{0,129})(\.\d{1,130})?(e[+-]?\d{1,3})?$/i.test(number),
    reason: 'It must be a number.',
  });

export const parseQuantity = (text: string): number => {
  const quantity = parse(text, {
    isValid: (number) => /^(0|[1-9]\d{0,15})$/.test(number) && isQuantity(Number(number)),
    reason: 'It must be an integer from 0 to 9007199254740991.',
  });
  return Number(quantity);
};

const longestList = 10_000;

export const parseLimit = (text: string): number => {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= longestList
    ? limit
    : invalidValue(`It must be a number from 1 to ${longestList}. An export has all entries.`);
};
