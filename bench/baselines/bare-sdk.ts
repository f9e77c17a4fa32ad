import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { inventoryUpdate } from './inventory-update.ts';

const updateInventory = inventoryUpdate(new DynamoDBClient({}));

/** A handwritten handler with the SDK and no framework. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const petId = BigInt(event.pathParameters?.petId ?? '');
  const { quantity } = JSON.parse(event.body ?? '');
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: await updateInventory(petId, quantity),
  };
};
