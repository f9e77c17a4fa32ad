import { CliError } from '../cli/cli-error.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import type { StageOptions } from '../stage/stage-command.ts';
import { epochSeconds, type IssuedKey, type NewKey } from './issued-keys.ts';

export type KeySummary = ReturnType<typeof keySummary>;

export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000', '');

/**
 * Returns what operators see of a key, never the key or its hash. Times are ISO 8601, UTC. Absent
 * values are null.
 */
export const keySummary = (key: IssuedKey) => {
  const {
    keyId: id,
    name,
    createdAt,
    expiresAt,
    revokedAt,
    replaces = null,
    replacedBy = null,
  } = key;
  const state =
    revokedAt !== undefined
      ? 'revoked'
      : (expiresAt ?? Infinity) <= epochSeconds()
        ? 'expired'
        : 'active';
  const expires = expiresAt === undefined ? null : isoTime(expiresAt);
  const revoked = revokedAt === undefined ? null : isoTime(revokedAt);
  return { id, name, state, created: isoTime(createdAt), expires, revoked, replaces, replacedBy };
};

const verbs: Record<string, string> = {
  active: 'is active',
  expired: 'expired',
  revoked: 'was revoked',
};
const endOf = ({ state, expires, revoked }: KeySummary): string =>
  state === 'active'
    ? expires
      ? ` until ${expires}`
      : ', with no expiry'
    : ` at ${revoked ?? expires}`;

export const printKey = (terminal: Terminal, options: StageOptions, key: IssuedKey): void => {
  const summary = keySummary(key);
  const { id, name, state, replaces, replacedBy } = summary;
  const links = `${replaces ? `; it replaces ${replaces}` : ''}${replacedBy ? `; ${replacedBy} replaces it` : ''}`;
  print(
    terminal,
    options,
    summary,
    `Key ${id} ("${name}") ${verbs[state]}${endOf(summary)}${links}.`,
  );
};

/** Prints a new key. It cannot be printed again, because it is stored nowhere. */
export const printIssued = async (
  terminal: Terminal,
  options: StageOptions,
  issued: NewKey,
  more = {},
) => {
  const summary = keySummary(issued.record);
  tell(
    terminal,
    `Key ${summary.id}${endOf(summary).replace(/^ /, ', ')}. Save this key; it won't be shown again:`,
  );
  const cause = await print(
    terminal,
    options,
    { ...summary, key: issued.apiKey, ...more },
    issued.apiKey,
  );
  if (cause) {
    throw new CliError('unexpected', `Key ${summary.id} could not be printed: ${cause.message}.`, {
      cause,
    });
  }
};

const columns = ['id', 'name', 'created', 'expires', 'revoked', 'replaces', 'replacedBy'] as const;

export const keyTable = (keys: KeySummary[]): string => {
  const head = columns.map((column) => column.replace('By', ' by').toUpperCase());
  const rows = [head, ...keys.map((key) => columns.map((column) => key[column] ?? '-'))];
  const widths = head.map((_name, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
};
