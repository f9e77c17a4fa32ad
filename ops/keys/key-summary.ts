import { NumberValue } from '@aws-sdk/lib-dynamodb';
import type { Access } from '../../functions/keys/api-keys-table.ts';
import { epochSeconds, type IssuedKey, idOf } from './issued-keys.ts';

/** `invalid`: a record that the service denies everything. */
type KeyState = 'active' | 'expired' | 'revoked' | 'invalid';

/**
 * What operators see of a key, never the key or its hash. Times are ISO 8601, UTC. Values that are
 * absent, or that a manual write has left unreadable, are null.
 */
export interface KeySummary {
  id: string | null;
  name: string | null;
  /** `none`: a record without an ID, or with an access that the service does not know. */
  access: Access | 'none';
  state: KeyState;
  created: string | null;
  expires: string | null;
  revoked: string | null;
  replaces: string | null;
}

export const keySummary = (key: IssuedKey): KeySummary => ({
  id: textOf(idOf(key)),
  name: textOf(key.name),
  access: accessOf(key),
  state: stateOf(key),
  created: timeOf(key.createdAt),
  expires: timeOf(key.expiresAt),
  revoked: timeOf(key.revokedAt),
  replaces: textOf(key.replaces),
});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const timeOf = (seconds: unknown): string | null => {
  const isTime = typeof seconds === 'number' && Math.abs(seconds) < 8.64e12;
  return isTime ? isoTime(seconds) : null;
};

export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000', '');

/** Returns what the authorizer grants a record whose time is not up. */
const accessOf = ({ access = 'write', keyId, readOnlyKeyId }: IssuedKey): Access | 'none' => {
  const id = { write: keyId, read: readOnlyKeyId }[access];
  return typeof id === 'string' ? access : 'none';
};

/** Returns the state that the authorizer sees: it accepts a key that is active, and no other. */
const stateOf = (key: IssuedKey): KeyState => {
  const { revokedAt, expiresAt } = key;
  if (revokedAt !== undefined) {
    return 'revoked';
  }
  if (accessOf(key) === 'none') {
    return 'invalid';
  }
  const isActive = expiresAt === undefined || secondsIn(expiresAt) > epochSeconds();
  return isActive ? 'active' : 'expired';
};

/** Returns NaN, which no time is before, for what the authorizer does not read as a number. */
const secondsIn = (value: unknown): number => {
  const isNumber = typeof value === 'number' || value instanceof NumberValue;
  return isNumber ? Number(value) : NaN;
};
