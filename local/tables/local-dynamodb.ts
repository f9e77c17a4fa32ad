import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDB, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { localClient } from '../shared/account.ts';
import { LocalRunError } from '../shared/local-run-error.ts';

/** Returns a client of an engine on this machine. */
export const localDynamodb = (endpoint: string): DynamoDB =>
  new DynamoDB({
    ...localClient,
    endpoint,
    maxAttempts: 2,
    requestHandler: { requestTimeout: 5_000, throwOnRequestTimeout: true },
  });

/**
 * Waits for a new table: some engines report it as created before they accept its requests.
 * @throws LocalRunError if that takes longer than this many seconds
 */
export const untilTableExists = async (
  client: DynamoDB,
  TableName: string,
  seconds = 30,
): Promise<void> => {
  const deadline = performance.now() + seconds * 1_000;
  let status = await statusOf(client, TableName);
  while (status !== 'ACTIVE') {
    if (performance.now() > deadline) {
      throw new LocalRunError(`After ${seconds} seconds, the table ${TableName} is ${status}.`);
    }
    await sleep(50);
    status = await statusOf(client, TableName);
  }
};

const statusOf = async (client: DynamoDB, TableName: string): Promise<string | undefined> => {
  try {
    return (await client.describeTable({ TableName })).Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) {
      return 'missing';
    }
    throw error;
  }
};
