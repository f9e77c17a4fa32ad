import type { StoredKey } from '../../functions/keys/stored-key.ts';
import { CliError } from '../cli/errors.ts';
import type { Stage } from '../stage/stage.ts';
import { allKeys, idOf } from './api-keys.ts';

/** Finds the key of a stage with an ID. A scan will do: the table is small. */
export const findKey = async ({ apiKeys }: Stage, id: string): Promise<StoredKey> => {
  const key = (await allKeys(apiKeys)).find((each) => idOf(each) === id);
  if (key === undefined) {
    throw new CliError('No key has this ID. keys list shows the IDs.');
  }
  return key;
};
