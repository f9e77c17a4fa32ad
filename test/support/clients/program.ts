import { expect } from '@jest/globals';
import { runProgram } from '../process/tools.ts';

/**
 * A program that sets the quantity of a pet: it takes PET_ID and QUANTITY, and prints the updated
 * entry. It reads the base URL and the API key from its environment.
 */
export type Program = [command: string, ...args: string[]];

export interface Target {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
}

export const runSetQuantity = async (
  [command, ...args]: Program,
  { baseUrl, apiKey }: Target,
  ...given: string[]
) => {
  // Users start the programs without the options of the tests, some of which Node 18 rejects.
  const env = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey, NODE_OPTIONS: '' };
  const end = await runProgram(command, [...args, ...given], env);
  // No output may contain the key, not even the output of a failure.
  if (apiKey) {
    expect(end.output + end.errors).not.toContain(apiKey.trim());
  }
  return end;
};
