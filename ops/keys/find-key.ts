import { CliError } from '../cli/cli-error.ts';
import { apiKeysOf, type Stage } from '../stage/stage.ts';
import { type IssuedKey, issuedKeys } from './issued-keys.ts';
import { stateOf } from './key-summary.ts';

/**
 * The key with an ID, by a scan: the table is small, and only its authorizer must be fast.
 * @throws CliError
 */
export const findKey = async (stage: Stage, id: string): Promise<IssuedKey> => {
  const key = (await issuedKeys(apiKeysOf(stage))).find(({ keyId }) => keyId === id);
  if (!key) {
    // The ID is not repeated: it could be a key, given by mistake.
    throw new CliError('not_found', 'No key has this ID.', {
      hint: `The IDs are in: npx petstore keys list ${stage.options}`,
    });
  }
  return key;
};

/** @throws CliError if the key is revoked or expired */
export const assertActive = (stage: Stage, key: IssuedKey): void => {
  const state = stateOf(key);
  if (state !== 'active') {
    throw new CliError('conflict', `Key ${key.keyId} ${state === 'expired' ? 'has expired' : 'is revoked'}.`, {
      hint: `Issue another: npx petstore keys create --name '${key.name.replaceAll("'", "'\\''")}' ${stage.options}`,
    });
  }
};

/** @throws CliError if the key is revoked, expired or replaced */
export const assertChangeable = (stage: Stage, key: IssuedKey): void => {
  assertActive(stage, key);
  if (key.replacedBy !== undefined) {
    throw new CliError('conflict', `Key ${key.keyId} is replaced by ${key.replacedBy}.`, {
      hint: `See: npx petstore keys show ${key.replacedBy} ${stage.options}`,
    });
  }
};
