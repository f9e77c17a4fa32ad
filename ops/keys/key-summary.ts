import { epochSeconds, type IssuedKey } from './issued-keys.ts';

/** A key as operators see it: never the key, nor its hash. What it does not have is null. */
export interface KeySummary {
  id: string;
  name: string;
  state: 'active' | 'expired' | 'revoked';
  /** Times are in ISO 8601, UTC. */
  created: string;
  expires: string | null;
  revoked: string | null;
  /** The IDs of the key that it was issued in place of, and of the one issued in its place. */
  replaces: string | null;
  replacedBy: string | null;
}

export const isoTime = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('.000', '');

export const keySummary = (key: IssuedKey): KeySummary => {
  const { keyId, name, createdAt, expiresAt, revokedAt, replaces = null, replacedBy = null } = key;
  const ended = (expiresAt ?? Infinity) <= epochSeconds() ? 'expired' : 'active';
  return {
    id: keyId,
    name,
    state: revokedAt === undefined ? ended : 'revoked',
    created: isoTime(createdAt),
    expires: expiresAt === undefined ? null : isoTime(expiresAt),
    revoked: revokedAt === undefined ? null : isoTime(revokedAt),
    replaces,
    replacedBy,
  };
};

const endOf = ({ state, expires, revoked }: KeySummary): string =>
  state === 'active' ? (expires ? ` until ${expires}` : ', without end') : ` since ${revoked ?? expires}`;

/** Whose key it is and whether it works. */
export const keyLine = (key: KeySummary): string => {
  const links = `${key.replaces ? `, replaces ${key.replaces}` : ''}${key.replacedBy ? `, is replaced by ${key.replacedBy}` : ''}`;
  return `Key ${key.id} ("${key.name}") is ${key.state}${endOf(key)}${links}.`;
};

/** What goes before a key that is shown once. */
export const issuedLine = (key: KeySummary): string =>
  `Key ${key.id}${endOf(key).replace(/^ /, ', ')}. Save this key; it won't be shown again:`;

const columns = ['id', 'name', 'created', 'expires', 'revoked', 'replaces', 'replacedBy'] as const;

/** A row for each key, below a head. */
export const keyTable = (keys: KeySummary[]): string => {
  const head = columns.map((column) => column.replace('By', ' by').toUpperCase());
  const rows = [head, ...keys.map((key) => columns.map((column) => key[column] ?? '-'))];
  const widths = head.map((_name, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
};
