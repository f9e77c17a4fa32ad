import { CliError } from '../cli/cli-error.ts';
import { apiKeysOf, type Stage } from '../stage/stage.ts';
import { type IssuedKey, issuedKeys } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';

/**
 * The key with an ID, by a scan: the table is small, and only its authorizer must be fast.
 * @throws CliError
 */
export const findKey = async (stage: Stage, id: string): Promise<IssuedKey> => {
  const key = (await issuedKeys(apiKeysOf(stage))).find(({ keyId }) => keyId === id);
  if (!key) {
    // The ID is not repeated: it could be a key, given by mistake.
    const hint = `The IDs are in: npx petstore keys list ${stage.options}`;
    throw new CliError('not_found', 'No key has this ID.', { hint });
  }
  return key;
};

/** @throws CliError if the key is revoked or expired */
export const assertActive = (stage: Stage, key: IssuedKey): void => {
  const { id, name, state } = keySummary(key);
  if (state !== 'active') {
    const hint = `Issue another: npx petstore keys create --name '${name.replaceAll("'", "'\\''")}' ${stage.options}`;
    throw new CliError('conflict', `Key ${id} ${state === 'expired' ? 'has expired' : 'is revoked'}.`, { hint });
  }
};
