import { InvalidArgumentError } from 'commander';

/** Rejects the value of an option or argument. Commander adds its name to the reason. */
export const invalidValue = (reason: string): never => {
  throw new InvalidArgumentError(reason);
};

/**
 * Reads the path of a file or directory, or `-`. Rejects '', which an unset variable leaves, and a
 * forgotten value.
 */
export const parsePath = (text: string): string =>
  /^(--.*)?$/.test(text) ? invalidValue('It must be a path.') : text;

/** Reads the number of a port. 0 stands for any free one. */
export const parsePort = (text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65535
    ? Number(text)
    : invalidValue('It must be a number from 0 to 65535.');
