import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Returns the pattern of a stage's API keys: `petstore_<stage>_`, and in hex digits its ID (16), its
 * secret (40) and the CRC-32 of everything before (8). A key with a typo or of another stage is thus
 * rejected without reading the table, and a leaked key says which one to revoke.
 */
export const apiKeyPattern = (stageName: string): string => `petstore_${stageName}_[0-9a-f]{64}`;

const checksumLength = 8;
const checksum = (text: string): string => crc32(text).toString(16).padStart(checksumLength, '0');

/** Creates a key of this ID and secret, 56 digits, or of random ones. */
export const createApiKey = (
  stageName: string,
  digits = randomBytes(28).toString('hex'),
): string => {
  const unchecked = `petstore_${stageName}_${digits}`;
  return unchecked + checksum(unchecked);
};

/** Returns the ID of a well-formed key. Unless the table has its hash, anybody can claim this ID. */
export const idOfApiKey = (apiKey: string): string => apiKey.slice(-64, -48);

/** Whether a text has the format and the checksum of a key of the stage. */
export const isWellFormedApiKey = (text: string, stageName: string): boolean =>
  new RegExp(`^${apiKeyPattern(stageName)}$`).test(text) &&
  checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/**
 * Returns the SHA-256 of a key in hex. Nothing else of its secret is stored. Its 160 random bits need
 * no salt.
 */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey);
