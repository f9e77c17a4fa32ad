import { type Access, readKey, type StoredKey } from '../../functions/keys/stored-key.ts';
import { CliError } from '../cli/errors.ts';
import type { Stage } from '../stage/stage.ts';
import { allKeys, epochSeconds, idOf } from './api-keys.ts';

/** Finds the key of a stage with an ID, and all its keys. */
export const findKey = async ({ apiKeys }: Stage, id: string) => {
  // A scan will do: the table is small, and only the authorizer must be fast.
  const all = await allKeys(apiKeys);
  const key = all.find((each) => idOf(each) === id);
  if (key === undefined) {
    // The message does not repeat the ID, which could be part of an API key.
    throw new CliError('No key has this ID. keys list shows the IDs.');
  }
  return { key, all };
};

/**
 * Returns the ID and the access of a key that works.
 * @throws CliError if it does not
 */
export const activeKey = (key: StoredKey): { keyId: string; access: Access } => {
  const reading = readKey(key, epochSeconds());
  if (reading.state !== 'active') {
    const extend =
      reading.state === 'expired' ? ', or extend this one with keys update --expires' : '';
    throw new CliError(
      `Key ${idOf(key)} is ${reading.state}. Create another with keys create${extend}.`,
    );
  }
  return reading;
};
