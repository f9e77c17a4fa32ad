import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** What a key may do: list the inventory, or also change it. */
export type Access = 'read' | 'write';

/**
 * A key as the table holds it: not the key itself, but its hash. Times are in epoch seconds.
 * DynamoDB guarantees only keyHash, the table's key. Anything else may be missing or wrong, because
 * operators can write items by hand.
 */
export interface StoredKey {
  keyHash: AttributeValue.SMember;
  /** The ID that stands in the key. Logs and operators tell it from others by that. */
  keyId?: AttributeValue;
  access?: AttributeValue;
  name?: AttributeValue;
  createdAt?: AttributeValue;
  /** A key without it works until it is revoked. */
  expiresAt?: AttributeValue;
  revokedAt?: AttributeValue;
}

/**
 * What the authorizer makes of a stored key. It accepts only an active one; an unreadable one has
 * no keyId, no access or no expiry that can be read.
 */
export type KeyReading =
  | { state: 'active'; keyId: string; access: Access }
  | { state: 'revoked' | 'expired' | 'unreadable'; keyId?: string | undefined };

/** Reads a key at a time in epoch seconds. */
export const readKey = (stored: StoredKey, now: number): KeyReading => {
  const keyId = stored.keyId?.S || undefined;
  const access = stored.access?.S;
  const end = stored.expiresAt === undefined ? Infinity : Number(stored.expiresAt.N);
  if (stored.revokedAt !== undefined) {
    return { state: 'revoked', keyId };
  }
  if (keyId === undefined || !isAccess(access) || Number.isNaN(end)) {
    return { state: 'unreadable', keyId };
  }
  return end > now ? { state: 'active', keyId, access } : { state: 'expired', keyId };
};

export const isAccess = (text: unknown): text is Access => text === 'read' || text === 'write';
