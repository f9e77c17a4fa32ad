import { hashApiKey } from '../../functions/keys/api-key.ts';
import { CliError } from '../cli/cli-error.ts';
import { issueApiKey, storedKey } from '../keys/issued-keys.ts';
import { keyInText } from '../keys/key-in-text.ts';
import { keySummary } from '../keys/key-summary.ts';
import type { Table } from '../stage/stage.ts';

const name = 'petstore start';

/**
 * Returns the API key that `--api-key` gives.
 * @throws CliError, which does not repeat the key, unless it is a well-formed key of the stage
 */
export const givenKey = (text: string, stageName: string): string => {
  const { apiKey, stageName: owner } = keyInText(text);
  if (owner !== stageName) {
    const given = `The key given with --api-key is one of ${owner}`;
    throw new CliError('invalid', `${given}, but this run is ${stageName}.`);
  }
  return apiKey;
};

/** Stores an API key, unless the table has it already, or issues a new one. Returns the key. */
export const issueOrReuse = async (
  table: Table,
  stageName: string,
  given: string | undefined,
): Promise<string> => {
  const stored = given && (await storedKey(table, hashApiKey(given)));
  if (!stored) {
    return (await issueApiKey(table, { stageName, name, apiKey: given })).apiKey;
  }
  const { state } = keySummary(stored);
  if (state !== 'active') {
    const why = { expired: 'has expired', revoked: 'was revoked', invalid: 'is denied' }[state];
    throw new CliError('conflict', `The key given with --api-key ${why} in these tables.`);
  }
  return given;
};
