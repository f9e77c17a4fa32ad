import { hash, randomUUID } from 'node:crypto';
import { ApiError } from '../errors/api-error.ts';
import { type HeaderValues, headerValue } from '../http/request.ts';
import type { RequestRecord } from '../observability/request-log.ts';

/**
 * Returns the header Idempotency-Key; undefined if the client sent none.
 * @throws ApiError `invalid_idempotency_key`
 */
export const readIdempotencyKey = (headers: HeaderValues): string | undefined => {
  const key = headerValue(headers, 'idempotency-key');
  // Two keys are joined by a comma and a space.
  if (key !== undefined && !/^[!-~]{1,255}$/.test(key)) {
    throw new ApiError(
      'invalid_idempotency_key',
      'Idempotency-Key must be one key of 1 to 255 visible ASCII characters, such as a UUID.',
    );
  }
  return key;
};

/**
 * Returns what a log line says of an Idempotency-Key: a hash, because it may be anything, even an API
 * key that somebody has put there. Who has the key can tell its lines.
 */
export const loggedIdempotencyKey = (key: string | undefined): RequestRecord['fields'] =>
  key === undefined ? {} : { idempotencyKeyHash: hash('sha256', key, 'hex').slice(0, 16) };

/**
 * Returns the header with which the response to an update repeats its Idempotency-Key, so that the
 * client sees that no proxy has dropped it. Without an ETag, a key has no effect.
 */
export const repeatedKey = (
  key: string | undefined,
  ifMatch: string | undefined,
): Record<string, string> =>
  key === undefined || ifMatch === undefined || ifMatch === '*' ? {} : { 'Idempotency-Key': key };

interface TokenScope {
  idempotencyKey?: string | undefined;
  TableName: string;
  keyId?: string | undefined;
  petId: bigint;
}

/**
 * Returns the token by which DynamoDB knows an update that is sent again: always the same for a
 * client's key, else a new one. DynamoDB keeps tokens by account and region, so that of a key
 * depends on the table, too.
 */
export const tokenOf = ({ idempotencyKey, TableName, keyId, petId }: TokenScope): string =>
  idempotencyKey === undefined
    ? randomUUID()
    : hash('sha256', JSON.stringify([TableName, keyId, String(petId), idempotencyKey]), 'base64url')
        // DynamoDB takes at most 36 characters.
        .slice(0, 36);

/**
 * Returns the petId at which a transaction with this token checks something: always the same, no
 * other token's, and beyond int64, so that it belongs to no item and no update waits for it.
 * DynamoDB's numbers have up to 38 digits.
 */
export const petIdOfToken = (token: string): bigint =>
  2n ** 64n + BigInt(`0x${hash('sha256', token, 'hex').slice(0, 30)}`);
