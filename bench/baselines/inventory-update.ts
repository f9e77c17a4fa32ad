import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/**
 * Returns the update that all baselines with the SDK share, so that they differ only in their
 * frameworks.
 */
export const inventoryUpdate = (client: DynamoDBClient) => {
  const documentClient = DynamoDBDocumentClient.from(client);
  return async (petId: bigint, quantity: number): Promise<string> => {
    const { Attributes } = await documentClient.send(
      new UpdateCommand({
        TableName: process.env.INVENTORY_TABLE_NAME,
        Key: { petId },
        UpdateExpression: 'SET quantity = :quantity',
        ConditionExpression: 'attribute_exists(petId)',
        ExpressionAttributeValues: { ':quantity': quantity },
        ReturnValues: 'ALL_NEW',
      }),
    );
    const { quantity: updated, status } = Attributes ?? {};
    return JSON.stringify({ petId: JSON.rawJSON(String(petId)), quantity: updated, status });
  };
};
