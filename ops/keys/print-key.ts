import { CliError } from '../cli/cli-error.ts';
import { oneLine, print, type Terminal, tell } from '../cli/terminal.ts';
import type { StageOptions } from '../stage/stage-command.ts';
import type { IssuedKey, NewKey } from './issued-keys.ts';
import { type KeySummary, keySummary } from './key-summary.ts';

/** Returns an ID or a name, with a dash for what a manual write has left out. */
export const shown = (text: string | null | undefined): string => oneLine(text ?? '-');

/** Names a key in a sentence. */
export const named = ({ id, name }: KeySummary): string => `Key ${shown(id)} ("${shown(name)}")`;

export const printKey = (terminal: Terminal, options: StageOptions, key: IssuedKey): void => {
  const summary = keySummary(key);
  const text = `${named(summary)} ${stateIn(summary)}${linksIn(summary)}.`;
  print(terminal, options, summary, text);
};

const stateIn = (summary: KeySummary): string => {
  const { state, expires, revoked } = summary;
  switch (state) {
    case 'active':
      return `is active${endIn(summary)}`;
    case 'expired':
      return `expired at ${shown(expires)}`;
    case 'revoked':
      return `was revoked at ${shown(revoked)}`;
    case 'invalid':
      return 'has no ID, so the service does not accept it';
  }
};

const endIn = ({ expires }: KeySummary): string =>
  expires === null ? ', with no expiry' : ` until ${expires}`;

const linksIn = ({ replaces, replacedBy }: KeySummary): string => {
  const older = replaces === null ? '' : `; it replaces ${shown(replaces)}`;
  const newer = replacedBy === null ? '' : `; ${shown(replacedBy)} replaces it`;
  return older + newer;
};

/** Prints a new key. It cannot be printed again, because it is stored nowhere. */
export const printIssued = async (
  terminal: Terminal,
  options: StageOptions,
  { apiKey, record }: NewKey,
  more = {},
): Promise<void> => {
  const summary = keySummary(record);
  const end = endIn(summary).replace(/^ /, ', ');
  tell(terminal, `Key ${summary.id}${end}. Save this key; it won't be shown again:`);
  const cause = await print(terminal, options, { ...summary, key: apiKey, ...more }, apiKey);
  if (cause) {
    const message = `Key ${summary.id} could not be printed: ${cause.message}.`;
    throw new CliError('unexpected', message, { cause });
  }
};
