import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll } from '@jest/globals';

const environment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
};

const clients: DynamoDBClient[] = [];

afterAll(() => {
  for (const client of clients) {
    client.destroy();
  }
});

/** A new client of the functions for an endpoint, with retries and connections of its own. */
export const clientOf = async (endpoint: string, maxAttempts = 3): Promise<DynamoDBClient> => {
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  const { client, dynamodbClient } = await import('../../functions/dynamodb/dynamodb-client.ts');
  const fresh = dynamodbClient(maxAttempts);
  clients.push(client, fresh);
  return fresh;
};
