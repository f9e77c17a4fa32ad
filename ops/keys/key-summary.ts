import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { epochSeconds, type IssuedKey } from './issued-keys.ts';

/** `invalid`: a record without an ID, which the authorizer does not accept. */
export type KeyState = 'active' | 'expired' | 'revoked' | 'invalid';

/**
 * What operators see of a key, never the key or its hash. Times are ISO 8601, UTC. Values that are
 * absent, or that a manual write has left unreadable, are null.
 */
export interface KeySummary {
  id: string | null;
  name: string | null;
  state: KeyState;
  created: string | null;
  expires: string | null;
  revoked: string | null;
  replaces: string | null;
  replacedBy: string | null;
}

export const keySummary = (key: IssuedKey): KeySummary => ({
  id: textOf(key.keyId),
  name: textOf(key.name),
  state: stateOf(key),
  created: timeOf(key.createdAt),
  expires: timeOf(key.expiresAt),
  revoked: timeOf(key.revokedAt),
  replaces: textOf(key.replaces),
  replacedBy: textOf(key.replacedBy),
});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const timeOf = (seconds: unknown): string | null => {
  const isTime = typeof seconds === 'number' && Math.abs(seconds) < 8.64e12;
  return isTime ? isoTime(seconds) : null;
};

export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000', '');

/** Returns the state that the authorizer sees: it accepts a key that is active, and no other. */
const stateOf = ({ keyId, revokedAt, expiresAt }: IssuedKey): KeyState => {
  if (revokedAt !== undefined) {
    return 'revoked';
  }
  if (typeof keyId !== 'string') {
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
