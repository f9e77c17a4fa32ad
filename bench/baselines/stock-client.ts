import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attemptTimeout, requestAttempts } from '../../functions/shared/time-limits.ts';

/**
 * Takes the place of functions/dynamodb/dynamodb-client.ts in a bundle: the SDK's client with
 * nothing replaced, and with the same time limits.
 */
export const dynamodbClient = (maxAttempts: number): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts,
    retryMode: 'standard',
    requestHandler: {
      requestTimeout: attemptTimeout,
      connectionTimeout: attemptTimeout,
      throwOnRequestTimeout: true,
    },
  });

export const client = dynamodbClient(requestAttempts);
