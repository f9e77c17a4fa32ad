import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * The one client of an instance, created at init so that its connection outlives a request.
 * The SDK's own default is to wait for ever. Here 3 attempts of at most 2 s each, and at most
 * 1.5 s of backoff between them, end before the functions' limit of 10 s (infra/service-function.ts).
 */
export const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  }),
);
