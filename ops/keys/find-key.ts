import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Stage } from '../stage/stage.ts';
import { findStage, type StageOptions } from '../stage/stage-command.ts';
import { type IssuedKey, issuedKeys } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';

/**
 * Finds the stage that the options name, and its key with this ID. Throws a CliError if there is
 * none.
 */
export const findKey = async (terminal: Terminal, options: StageOptions, id: string) => {
  const stage = await findStage(terminal, options);
  // A scan will do: the table is small, and only the authorizer must be fast.
  const key = (await issuedKeys(stage.apiKeys)).find(({ keyId }) => keyId === id);
  if (!key) {
    // The message does not repeat the ID, which could be an API key that was given by mistake.
    const hint = `To see the IDs: ${npxPetstore} keys list ${stage.options}`;
    throw new CliError('not_found', 'No key has this ID.', { hint });
  }
  return { stage, key };
};

/** @throws CliError if the key is revoked or expired */
export const assertActive = (stage: Stage, key: IssuedKey): void => {
  const { id, name, state } = keySummary(key);
  if (state !== 'active') {
    const hint = `Issue another: ${npxPetstore} keys create --name ${shellQuoted(name)} ${stage.options}`;
    throw new CliError(
      'conflict',
      `Key ${id} ${state === 'expired' ? 'has expired' : 'is revoked'}.`,
      { hint },
    );
  }
};

/** Returns the error for a key whose state does not allow a command. */
export const keyConflict = (stage: Stage, message: string, id: string): CliError =>
  new CliError('conflict', message, {
    hint: `See: ${npxPetstore} keys show ${shellQuoted(id)} ${stage.options}`,
  });
