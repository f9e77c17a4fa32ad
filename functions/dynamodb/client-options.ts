import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** What the clients share. The SDK's own default is to wait for ever. */
export const clientOptions = {
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
} satisfies DynamoDBClientConfig;
