import { CliError } from '../cli/errors.ts';
import type { Stage } from '../stage/stage.ts';
import { allKeys, idOf, type StoredKey } from './api-keys.ts';
import { summaryOf } from './key-summary.ts';

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

/** @throws CliError unless the key works */
export const assertActive = (key: StoredKey): void => {
  const { id, state } = summaryOf(key);
  if (state !== 'active') {
    throw new CliError(`Key ${id} is ${state}. Issue another with keys create.`);
  }
};
