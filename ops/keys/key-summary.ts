import { print, type Terminal } from '../cli/terminal.ts';
import { epochSeconds, type StoredKey } from './api-keys.ts';

/** What operators see of a key, never the key or its hash. Times are ISO 8601, UTC. */
export const summaryOf = (key: StoredKey) => ({
  id: key.keyId ?? key.readOnlyKeyId ?? null,
  name: key.name,
  access: key.access ?? 'write',
  state: stateOf(key),
  created: isoTime(key.createdAt),
  expires: isoTime(key.expiresAt),
  revoked: isoTime(key.revokedAt),
});

export type KeySummary = ReturnType<typeof summaryOf>;

const stateOf = ({
  revokedAt,
  expiresAt = Infinity,
}: StoredKey): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== undefined) {
    return 'revoked';
  }
  return expiresAt > epochSeconds() ? 'active' : 'expired';
};

/** Returns null for no time, and for one that somebody has written by hand and is none. */
export const isoTime = (seconds = NaN): string | null =>
  new Date(seconds * 1000).toJSON()?.replace('.000', '') ?? null;

/** Prints a key: in JSON with `--json`, else in a sentence. */
export const printKey = (
  terminal: Terminal,
  options: { json?: boolean },
  key: StoredKey,
): Promise<void> => {
  const summary = summaryOf(key);
  return print(terminal, options, summary, sentenceOf(summary));
};

const sentenceOf = ({ id, name, access, state, expires, revoked }: KeySummary): string => {
  const key = `Key ${id} ("${name}")`;
  switch (state) {
    case 'revoked':
      return `${key} was revoked at ${revoked}.`;
    case 'expired':
      return `${key} expired at ${expires}.`;
    case 'active':
      return `${key} may ${access}, ${expires === null ? 'with no expiry' : `until ${expires}`}.`;
  }
};
