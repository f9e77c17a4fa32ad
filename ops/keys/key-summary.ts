import { visible } from '../../functions/shared/visible.ts';
import { CliError } from '../cli/errors.ts';
import { tell } from '../cli/terminal.ts';
import type { Work } from '../stage/stage-command.ts';
import { epochSeconds, idOf, type StoredKey } from './api-keys.ts';

/** What operators see of a key, never the key or its hash. Times are ISO 8601, UTC. */
export const summaryOf = (key: StoredKey) => ({
  id: idOf(key),
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

/** Returns how a key is named in a sentence, by its ID and its name, which could be any text. */
export const titleOf = (key: StoredKey): string => `${idOf(key)} ("${visible(String(key.name))}")`;

/** Prints a key: in JSON with `--json`, else in a sentence. */
export const printKey = ({ print }: Work, key: StoredKey): Promise<void> => {
  const summary = summaryOf(key);
  return print(summary, `Key ${titleOf(key)} ${predicateOf(summary)}.`);
};

const predicateOf = ({ access, state, expires, revoked }: KeySummary): string => {
  switch (state) {
    case 'revoked':
      return `was revoked at ${revoked}`;
    case 'expired':
      return `expired at ${expires}`;
    case 'active':
      return `may ${access}, ${endOf(expires)}`;
  }
};

const endOf = (expires: string | null): string =>
  expires === null ? 'with no expiry' : `until ${expires}`;

/** Prints a new key. It cannot be printed again, because it is stored nowhere. */
export const printIssued = async (
  { terminal, print }: Work,
  { apiKey, stored }: { apiKey: string; stored: StoredKey },
): Promise<void> => {
  const summary = summaryOf(stored);
  const { id } = summary;
  tell(terminal, `Key ${id} ${predicateOf(summary)}. Save this key; it won't be shown again:`);
  try {
    await print({ ...summary, key: apiKey }, apiKey);
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(`${message}\nNobody has received key ${id}: revoke it.`, { cause });
  }
};
