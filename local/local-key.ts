import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { createApiKey, hashApiKey, idOfApiKey } from '../functions/keys/api-key.ts';
import type { StoredKey } from '../functions/keys/stored-key.ts';

/** The API key of every local run of a stage, so that pages print commands that work as they stand. */
const localKey = (stageName: string): string => createApiKey(stageName, '0'.repeat(56));

interface LocalTable {
  client: DynamoDB;
  TableName: string;
}

/**
 * Stores the local key in the table of a local run, and returns it. Only programs on this machine reach
 * a run, and no command stores the key anywhere else.
 */
export const issueLocalKey = async (
  { client, TableName }: LocalTable,
  stageName: string,
): Promise<string> => {
  const apiKey = localKey(stageName);
  const stored: StoredKey = {
    keyHash: { S: hashApiKey(apiKey) },
    keyId: { S: idOfApiKey(apiKey) },
    access: { S: 'write' },
    name: { S: 'every local run' },
    createdAt: { N: String(Math.floor(Date.now() / 1000)) },
  };
  await client.putItem({ TableName, Item: { ...stored } });
  return apiKey;
};
