import { InvalidArgumentError } from 'commander';

/** Reads a port of this machine; 0 lets the system pick a free one. */
export const parsePort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  }
  return port;
};
