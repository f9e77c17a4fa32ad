import type { ApiKeyRecord } from '../../functions/keys/api-keys-table.ts';

/** A key as operators see it: never the key, nor its hash. */
export interface KeySummary {
  id: string;
  name: string;
  /** ISO 8601, UTC; null where there is none. */
  created: string;
  expires: string | null;
  revoked: string | null;
}

export const isoTime = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('.000', '');

/** What goes before a key that is shown once. */
export const issuedLine = ({ id, expires }: KeySummary): string =>
  `Key ${id}, ${expires ? `until ${expires}` : 'without end'}. Keep it now:`;

export const keySummary = ({ keyId, name, createdAt, expiresAt, revokedAt }: ApiKeyRecord): KeySummary => ({
  id: keyId,
  name,
  created: isoTime(createdAt),
  expires: expiresAt === undefined ? null : isoTime(expiresAt),
  revoked: revokedAt === undefined ? null : isoTime(revokedAt),
});
