import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Stage } from '../stage/stage.ts';
import { findStage, type StageOptions } from '../stage/stage-command.ts';
import { type IssuedKey, idOf, issuedKeys } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';
import { shown } from './print-key.ts';

/**
 * Finds the stage that the options name, and its key with this ID, among `all` keys. Throws a
 * CliError if there is none, or more than one.
 */
export const findKey = async (terminal: Terminal, options: StageOptions, id: string) => {
  const stage = await findStage(terminal, options);
  if (id.includes('petstore_')) {
    throw new CliError('usage', 'This is an API key. Here, its ID is needed.', {
      hint: `To find its ID: ${npxPetstore} keys find ${stage.options}`,
    });
  }
  // A scan will do: the table is small, and only the authorizer must be fast.
  const all = await issuedKeys(stage.apiKeys);
  const [key, ...others] = all.filter((each) => idOf(each) === id);
  if (!key) {
    // The message does not repeat the ID, which could be part of an API key.
    throw new CliError('not_found', 'No key has this ID.', {
      hint: `To see the IDs: ${npxPetstore} keys list ${stage.options}`,
    });
  }
  if (others.length > 0) {
    throw new CliError('conflict', `${others.length + 1} keys have the ID ${shown(id)}.`, {
      hint: `Some were written by hand. Give each an ID of its own in ${stage.apiKeys.TableName}.`,
    });
  }
  return { stage, key, all };
};

/** @throws CliError unless the key works */
export const assertActive = (stage: Stage, key: IssuedKey): void => {
  const { id, name, state } = keySummary(key);
  if (state === 'active') {
    return;
  }
  const outcomes = { expired: 'has expired', revoked: 'is revoked', invalid: 'is denied anyway' };
  const sameName = shellQuoted(name ?? 'NAME');
  const create = `${npxPetstore} keys create --name ${sameName} ${stage.options}`;
  throw new CliError('conflict', `Key ${shown(id)} ${outcomes[state]}.`, {
    hint: `Issue another: ${create}`,
  });
};

/** Returns the error for a key that is no longer as it was read. */
export const changedMeanwhile = (id: string): CliError =>
  new CliError('conflict', `Key ${shown(id)} was changed by somebody else just now.`);
