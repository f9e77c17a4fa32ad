import { InvalidArgumentError } from 'commander';

/**
 * Reads a port of this machine, where 0 stands for any free one.
 * @throws InvalidArgumentError
 */
export const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port is an integer from 0 to 65535.');
  }
  return port;
};
