import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import { oneLine, print, type Terminal, tell } from '../cli/terminal.ts';
import type { Stage } from '../stage/stage.ts';
import type { StageOptions } from '../stage/stage-command.ts';
import type { IssuedKey, NewKey } from './issued-keys.ts';
import { type KeySummary, keySummary } from './key-summary.ts';

/** Returns an ID or a name, with a dash for what a manual write has left out. */
export const shown = (text: string | null | undefined): string => oneLine(text ?? '-');

/** Names a key in a sentence. */
export const named = ({ id, name }: KeySummary): string => `Key ${shown(id)} ("${shown(name)}")`;

export const printKey = (terminal: Terminal, options: StageOptions, key: IssuedKey): void => {
  const summary = keySummary(key);
  print(terminal, options, summary, `${named(summary)} ${stateIn(summary)}.`);
};

const stateIn = (summary: KeySummary): string => {
  const { state, expires, revoked } = summary;
  switch (state) {
    case 'active':
      return `is active, ${termsOf(summary)}`;
    case 'expired':
      return `expired at ${shown(expires)}`;
    case 'revoked':
      return `was revoked at ${shown(revoked)}`;
    case 'invalid':
      return 'lacks an ID or a known access, so the service denies it everything';
  }
};

const termsOf = ({ access, expires }: KeySummary): string => {
  const end = expires === null ? 'with no expiry' : `until ${expires}`;
  return access === 'read' ? `read-only, ${end}` : end;
};

interface Issued {
  options: StageOptions;
  stage: Stage;
  issued: NewKey;
  /** What `--json` prints besides. */
  more?: object;
}

/**
 * Prints a new key. It cannot be printed again, because it is stored nowhere.
 * @throws CliError, with the command that revokes the key, if it could not be printed
 */
export const printIssued = async (terminal: Terminal, printed: Issued): Promise<void> => {
  const { options, stage, issued, more = {} } = printed;
  const summary = keySummary(issued.record);
  const { id } = summary;
  tell(terminal, `Key ${id}, ${termsOf(summary)}. Save this key; it won't be shown again:`);
  const value = { ...summary, key: issued.apiKey, ...more };
  const cause = await print(terminal, options, value, issued.apiKey);
  if (cause) {
    const hint = `Revoke it: ${npxPetstore} keys revoke ${shellQuoted(shown(id))} ${stage.options}`;
    const message = `Key ${id} could not be printed: ${cause.message}.`;
    throw new CliError('unexpected', message, { cause, hint });
  }
};
