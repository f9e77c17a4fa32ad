import { createHash, randomUUID } from 'node:crypto';
import { ApiError } from '../errors/api-error.ts';
import { type HeaderValues, headerValue } from '../http/request.ts';

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
 * Returns the token by which DynamoDB knows a repeated update: that of a client's key, or a new one.
 * DynamoDB keeps tokens by account and region, so the table is a part of it.
 */
export const onceToken = (
  idempotencyKey: string | undefined,
  ...scope: (string | undefined)[]
): string =>
  idempotencyKey === undefined
    ? randomUUID()
    : createHash('sha256')
        .update(JSON.stringify([idempotencyKey, ...scope]))
        .digest('base64url')
        // DynamoDB takes at most 36 characters.
        .slice(0, 36);
