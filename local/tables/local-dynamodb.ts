import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { localClient } from '../shared/account.ts';

/** Returns a client of an engine on this machine. */
export const localDynamodb = (endpoint: string): DynamoDB =>
  new DynamoDB({
    ...localClient,
    endpoint,
    maxAttempts: 2,
    requestHandler: { requestTimeout: 5_000, throwOnRequestTimeout: true },
  });

/** Waits for a new table: some engines report it as created before they accept its requests. */
export const untilTableExists = async (client: DynamoDB, TableName: string): Promise<void> => {
  const pace = { minDelay: 0.05, maxDelay: 0.5, maxWaitTime: 30 };
  await waitUntilTableExists({ client, ...pace }, { TableName });
};
