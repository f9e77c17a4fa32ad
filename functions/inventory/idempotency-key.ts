import { hash } from 'node:crypto';
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
