import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attemptTimeout, requestAttempts } from '../../functions/shared/time-limits.ts';

/**
 * Takes the place of functions/dynamodb/dynamodb-client.ts in a bundle: the SDK's client with
 * nothing replaced, and with the same time limits.
 */
export const dynamodbClient = (maxAttempts: number): DynamoDBClient => {
  const stock = new DynamoDBClient({
    maxAttempts,
    retryMode: 'standard',
    requestHandler: {
      requestTimeout: attemptTimeout,
      connectionTimeout: attemptTimeout,
      throwOnRequestTimeout: true,
    },
  });
  // What DynamoDBDocumentClient would set for the commands of lib-dynamodb.
  const translateConfig = { unmarshallOptions: { wrapNumbers: true } };
  Object.assign(stock.config, { translateConfig });
  return stock;
};

export const client = dynamodbClient(requestAttempts);
