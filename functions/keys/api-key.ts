import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Returns the pattern of a stage's API keys: `petstore_<stage>_`, 40 hex digits (160 random bits)
 * and 8 hex digits, the CRC-32 of everything before them. A key with a typo or of another stage is
 * thus rejected without reading the table.
 */
export const apiKeyPattern = (stageName: string): string => `petstore_${stageName}_[0-9a-f]{48}`;

const checksumLength = 8;
const checksum = (text: string): string => crc32(text).toString(16).padStart(checksumLength, '0');

export const createApiKey = (stageName: string): string => {
  const unchecked = `petstore_${stageName}_${randomBytes(20).toString('hex')}`;
  return unchecked + checksum(unchecked);
};

/** Whether a text has the format and the checksum of a key of the stage. */
export const isWellFormedApiKey = (text: string, stageName: string): boolean =>
  new RegExp(`^${apiKeyPattern(stageName)}$`).test(text) &&
  checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/**
 * Returns the SHA-256 of a key in hex. Nothing else of the key is stored. Its 160 random bits need
 * no salt.
 */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey);
