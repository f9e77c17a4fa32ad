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

const isoTimeOrNull = (seconds: number | undefined): string | null => (seconds === undefined ? null : isoTime(seconds));

export const stateOf = ({ revokedAt, expiresAt = Infinity }: IssuedKey): KeySummary['state'] => {
  if (revokedAt !== undefined) {
    return 'revoked';
  }
  return expiresAt <= epochSeconds() ? 'expired' : 'active';
};

export const keySummary = (key: IssuedKey): KeySummary => ({
  id: key.keyId,
  name: key.name,
  state: stateOf(key),
  created: isoTime(key.createdAt),
  expires: isoTimeOrNull(key.expiresAt),
  revoked: isoTimeOrNull(key.revokedAt),
  replaces: key.replaces ?? null,
  replacedBy: key.replacedBy ?? null,
});

/** What goes before a key that is shown once. */
export const issuedLine = ({ id, expires }: KeySummary): string =>
  `Key ${id}, ${expires ? `until ${expires}` : 'without end'}. Keep it now:`;

/** Whose key it is and whether it works. */
export const keyLine = ({ id, name, state, expires, revoked, replaces, replacedBy }: KeySummary): string =>
  [
    `Key ${id} ("${name}") is ${state}`,
    {
      active: expires ? ` until ${expires}` : ', without end',
      expired: ` since ${expires}`,
      revoked: ` since ${revoked}`,
    }[state],
    replaces ? `, replaces ${replaces}` : '',
    replacedBy ? `, is replaced by ${replacedBy}` : '',
    '.',
  ].join('');

const columns = {
  id: 'ID',
  name: 'NAME',
  created: 'CREATED',
  expires: 'EXPIRES',
  revoked: 'REVOKED',
  replaces: 'REPLACES',
  replacedBy: 'REPLACED BY',
} as const;

/** A row for each key, below a head. */
export const keyTable = (keys: KeySummary[]): string => {
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const rows = [Object.values(columns), ...keys.map((key) => names.map((name) => key[name] ?? '-'))];
  const widths = names.map((_name, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
