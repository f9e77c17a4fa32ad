import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { InventoryItem } from '../functions/inventory/inventory-item.ts';
import { createApiKey, hashApiKey } from '../functions/keys/api-key.ts';
import type { ApiKeyRecord } from '../functions/keys/api-keys-table.ts';

export const putInventory = async (
  client: DynamoDBClient,
  TableName: string,
  items: InventoryItem[],
): Promise<void> => {
  const documentClient = DynamoDBDocumentClient.from(client);
  for (const Item of items) {
    await documentClient.send(new PutCommand({ TableName, Item }));
  }
};

/** Issues a key of the stage and returns it; the table keeps its hash. */
export const issueApiKey = async (
  client: DynamoDBClient,
  TableName: string,
  stageName: string,
  record: Pick<ApiKeyRecord, 'name' | 'expiresAt' | 'revokedAt'>,
): Promise<string> => {
  const apiKey = createApiKey(stageName);
  const Item: ApiKeyRecord = {
    keyHash: hashApiKey(apiKey),
    keyId: randomBytes(8).toString('hex'),
    createdAt: Math.floor(Date.now() / 1000),
    ...record,
  };
  await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName, Item }));
  return apiKey;
};
