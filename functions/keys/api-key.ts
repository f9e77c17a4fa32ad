import { hash, randomBytes } from 'node:crypto';
import { crc32 } from '../shared/crc32.ts';

/**
 * An API key reads `petstore_<stage>_<40 hex digits: 160 random bits><8 hex digits: checksum>`.
 * The stage and the checksum (CRC-32 of all before it) let a key of another stage, or a typo, be
 * rejected without a look into the table.
 */
export const apiKeyPattern = (stageName: string): string => `petstore_${stageName}_[0-9a-f]{48}`;

const checksumLength = 8;
const checksum = (text: string): string => crc32(text).toString(16).padStart(checksumLength, '0');

export const createApiKey = (stageName: string): string => {
  const unchecked = `petstore_${stageName}_${randomBytes(20).toString('hex')}`;
  return unchecked + checksum(unchecked);
};

/** Whether the text is a key that could have been issued for the stage. */
export const isWellFormedApiKey = (text: string, stageName: string): boolean =>
  new RegExp(`^${apiKeyPattern(stageName)}$`).test(text) &&
  checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** SHA-256 in hex: all that is ever stored of a key. Its 160 random bits need no salt. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey);
