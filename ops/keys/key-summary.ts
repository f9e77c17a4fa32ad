import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isAccess, readKey, type StoredKey } from '../../functions/keys/stored-key.ts';
import { CliError } from '../cli/errors.ts';
import type { NewFile } from '../cli/output.ts';
import { tell } from '../cli/terminal.ts';
import { visible } from '../cli/visible.ts';
import type { Work } from '../stage/stage-command.ts';
import { epochSeconds, idOf, secondsIn } from './api-keys.ts';

/** What operators see of a key, never the key or its hash. Times are ISO 8601, UTC. */
export const summaryOf = (key: StoredKey) => {
  const access = key.access?.S;
  return {
    id: idOf(key),
    name: nameOf(key),
    access: isAccess(access) ? access : null,
    state: readKey(key, epochSeconds()).state,
    created: isoTime(key.createdAt),
    expires: isoTime(key.expiresAt),
    revoked: isoTime(key.revokedAt),
  };
};

export type KeySummary = ReturnType<typeof summaryOf>;

const nameOf = ({ name }: StoredKey): string | null => name?.S ?? null;

/** Returns the time that an attribute holds, or null. */
const isoTime = (attribute?: AttributeValue): string | null =>
  new Date((secondsIn(attribute) ?? NaN) * 1000).toJSON()?.replace('.000', '') ?? null;

/** Returns how a key is named in a sentence, by its ID and its name, which could be any text. */
export const titleOf = (key: StoredKey): string =>
  `${idOf(key) ?? 'without an ID'} ("${visible(nameOf(key) ?? '')}")`;

/** Prints a key: in JSON with `--json`, else in a sentence. */
export const printKey = ({ print }: Work, key: StoredKey): Promise<void> => {
  const summary = summaryOf(key);
  return print(summary, `Key ${titleOf(key)} ${predicateOf(summary)}.`);
};

/** Returns what a sentence says of a key. */
const predicateOf = ({ access, state, expires, revoked }: KeySummary): string => {
  switch (state) {
    case 'revoked':
      return revoked === null ? 'was revoked' : `was revoked at ${revoked}`;
    case 'expired':
      return `expired at ${expires}`;
    case 'unreadable':
      return 'is refused, because its record in the table cannot be read';
    case 'active':
      return `${access === 'read' ? 'is read-only' : 'can write'} and ${endOf(expires)}`;
  }
};

/** Returns when a key ends that is given these seconds now, so that a wrong unit is seen before. */
export const endIn = (seconds: number): string =>
  endOf(seconds === Infinity ? null : isoTime({ N: String(epochSeconds() + seconds) }));

const endOf = (expires: string | null): string =>
  expires === null ? 'never expires' : `expires at ${expires}`;

/** Writes a new key into a file, or prints it. It cannot be again, because it is stored nowhere. */
export const printIssued = async (
  { terminal, print }: Work,
  { apiKey, stored }: { apiKey: string; stored: StoredKey },
  file: NewFile | null,
): Promise<void> => {
  const summary = summaryOf(stored);
  const { id } = summary;
  const isShown = terminal.stdout.isTTY && file === null;
  const advice = isShown ? " Save this key; it won't be shown again:" : '';
  tell(terminal, `Key ${id} ${predicateOf(summary)}.${advice}`);
  try {
    await (file ? file.finish(`${apiKey}\n`) : print({ ...summary, key: apiKey }, apiKey));
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(`${message}\nKey ${id} was created, but not written: revoke it.`, { cause });
  }
  if (file !== null) {
    await print(summary, `${id}`);
  }
};
