import { CliError } from '../cli/errors.ts';
import { issueApiKey, storedKey } from '../keys/api-keys.ts';
import { predicateOf, summaryOf } from '../keys/key-summary.ts';
import type { Table } from '../stage/stage.ts';

/**
 * Returns the key of a run: the one given, which the table then holds, or a new one.
 * @throws CliError if the table holds the given key, and it no longer works
 */
export const runKey = async (table: Table, stageName: string, given?: string): Promise<string> => {
  const stored = given === undefined ? undefined : await storedKey(table, given);
  if (given === undefined || stored === undefined) {
    const issue = { stageName, name: 'petstore start', ...(given && { apiKey: given }) };
    return (await issueApiKey(table, issue)).apiKey;
  }
  const summary = summaryOf(stored);
  if (summary.state !== 'active') {
    throw new CliError(`The key given with --api-key ${predicateOf(summary)}.`);
  }
  return given;
};
