import { InvalidArgumentError } from 'commander';
import { columns } from './read-items.ts';

/** Reads a petId, with every digit. */
export const petIdArgument = (text: string): bigint => BigInt(checked('petId', text));

/** Reads one more of several petIds, or the `-` that stands for standard input. */
export const petIdArguments = (text: string, others: (bigint | '-')[] = []): (bigint | '-')[] => [
  ...others,
  text === '-' ? text : petIdArgument(text),
];

/** Reads a quantity. */
export const quantityArgument = (text: string): number => Number(checked('quantity', text));

const checked = (column: keyof typeof columns, text: string): string => {
  const { isValid, rule } = columns[column];
  if (!isValid(text)) {
    throw new InvalidArgumentError(`It must be ${rule}.`);
  }
  return text;
};
